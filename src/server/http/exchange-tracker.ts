import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { createBag, type Bag } from '../../shared/domain/bag.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { createResponseBatcher } from './response/response-batcher.ts'
import { createByteBudget } from '../concurrency/byte-budget.ts'
import { createReadingMemory } from '../concurrency/reading-memory.ts'
import type { SessionWatcher } from '../auth/session-ends.ts'
import { headerReader, type HttpExchange } from './exchange.ts'
import type { ChunkListener, HttpLimits, HttpOptions } from './http-options.ts'
import { createRequestLifetime } from './request-lifetime.ts'
import { readTarget } from './request/request-target.ts'
import type { ClientConnection } from './route.ts'
import { createRouteMatcher, type RouteMatch } from './request/route-table.ts'

/** A request whose response was sent or whose connection was closed. */
export type EndedRequest = {
  /** The route of the request. Null for the page and for paths that do not exist. */
  readonly route: RouteName | null
  readonly status: number
  /** The time since the head of the request has arrived. */
  readonly seconds: number
}

export type ExchangeTrackerDependencies = {
  readonly routeNames: readonly RouteName[]
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly clientOf: (request: IncomingMessage) => ClientConnection
  readonly newId: () => string
  /** True when requests of the connection wait for the response to an earlier one. */
  readonly hasQueuedRequests: (socket: Duplex) => boolean
  /**
   * Called after each request, when its response was sent or its connection was closed. It is not called after a request of a
   * monitoring program, which is repeated for as long as the server runs, also while nobody uses the server.
   */
  readonly onRequestEnd?: ((request: EndedRequest) => void) | undefined
  /** Called for each chunk of a body that has arrived or was sent, but not for requests of monitoring programs. */
  readonly onChunk?: ChunkListener | undefined
}

/** Creates the exchange of each request, and keeps track of the exchanges in flight. */
export type ExchangeTracker = {
  begin(request: IncomingMessage, response: ServerResponse): HttpExchange
  /** True when a response is being written to a connection and is not complete yet. */
  readonly isResponding: (socket: Duplex) => boolean
  /** True while a request is in flight. */
  readonly isBusy: () => boolean
  /** Returns the sockets of the requests in flight. */
  readonly busySockets: () => ReadonlySet<Duplex>
  /** Makes the next response of each connection the last one, because the server stops. */
  endKeepAlive(): void
  /** Aborts all requests in flight, because the server stops. */
  abortAll(): void
  /** Aborts transfers when their sessions or guest passes end, and work with files when its caller loses a right. */
  readonly watcher: SessionWatcher
}

export function createExchangeTracker({
  routeNames,
  options,
  limits,
  clientOf,
  newId,
  hasQueuedRequests,
  onRequestEnd,
  onChunk,
}: ExchangeTrackerDependencies): ExchangeTracker {
  const match = createRouteMatcher(routeNames)
  const inFlight = createBag<HttpExchange>()
  const endResponse = createResponseBatcher()
  const memories = createResponseMemories(limits)
  let isStopping = false

  function begin(request: IncomingMessage, response: ServerResponse): HttpExchange {
    const target = hasSingleHost(request) ? readTarget(request.url ?? '', options.basePath) : null
    const matched = target === null ? malformed : match(request.method ?? '', target.path)
    let id: string | undefined
    const exchange: HttpExchange = {
      id: () => (id ??= newId()),
      request,
      response,
      target,
      match: matched,
      client: clientOf(request),
      lifetime: createRequestLifetime(response),
      limits,
      ...memories,
      reading: null,
      endResponse,
      onChunk: isMonitoring(matched) ? undefined : onChunk,
      header: headerReader(request),
      caller: null,
      guestPass: null,
      shouldRenew: false,
    }
    const remove = inFlight.add(exchange)
    const beginMs = performance.now()
    if (isStopping) endConnectionAfter(exchange, hasQueuedRequests)
    response.on('close', () => {
      remove()
      exchange.lifetime.close()
      if (!isMonitoring(matched)) onRequestEnd?.(endedRequest(exchange, beginMs))
    })
    return exchange
  }

  return {
    begin,
    isResponding: (socket) => inFlight.all().some((exchange) => isWriting(exchange, socket)),
    isBusy: () => inFlight.size() > 0,
    busySockets: () => new Set(inFlight.all().map(({ request }) => request.socket)),
    endKeepAlive() {
      isStopping = true
      for (const exchange of inFlight.all()) endConnectionAfter(exchange, hasQueuedRequests)
    },
    abortAll: () => inFlight.all().forEach(({ lifetime }) => lifetime.abort('stop')),
    watcher: watcherOf(inFlight),
  }
}

/** True while the response of an exchange is being written to a connection and is not complete yet. */
const isWriting = ({ request, response }: HttpExchange, socket: Duplex): boolean =>
  request.socket === socket && response.headersSent && !response.writableFinished

/** Creates the memory of large responses, and that of what is read in advance of clients. */
const createResponseMemories = (
  limits: HttpLimits,
): Pick<HttpExchange, 'largeResponses' | 'readingMemory'> => ({
  largeResponses: createByteBudget({
    totalBytes: limits.largeResponseBytes,
    bytesPerKey: limits.largeResponseBytesPerPerson,
  }),
  readingMemory: createReadingMemory({
    totalBytes: limits.readingBytes,
    bytesPerKey: limits.readingBytesPerPerson,
    stalledMs: limits.readingStalledMs,
  }),
})

/** Makes a response the last one of its connection, unless requests wait behind it. */
function endConnectionAfter(
  { request, response }: HttpExchange,
  hasQueuedRequests: ExchangeTrackerDependencies['hasQueuedRequests'],
): void {
  const end = (): void => {
    if (!response.headersSent && !hasQueuedRequests(request.socket)) response.shouldKeepAlive = false
  }
  // A response that is sent before the whole body has arrived would be lost with the connection.
  if (request.complete || !hasBody(request)) end()
  else request.once('end', end)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** True for the calls that monitoring programs repeat. */
const isMonitoring = (match: RouteMatch): boolean =>
  match.kind === 'route' && (match.name === 'health.get' || match.name === 'metrics.get')

const endedRequest = ({ match, response }: HttpExchange, beginMs: number): EndedRequest => ({
  route: match.kind === 'route' ? match.name : null,
  status: response.statusCode,
  seconds: (performance.now() - beginMs) / 1000,
})

const watcherOf = (inFlight: Bag<HttpExchange>): SessionWatcher => ({
  running: () => inFlight.all().flatMap((exchange) => accessIdOf(exchange) ?? []),
  ended(ids) {
    for (const exchange of inFlight.all()) {
      const id = accessIdOf(exchange)
      if (id !== null && ids.has(id)) exchange.lifetime.endSession()
    }
  },
  endWithoutRights: async () => void (await Promise.all(inFlight.all().map(abortWithoutRights))),
})

/** Returns the id of the session or guest pass under which a request runs, or null when it runs under neither. */
const accessIdOf = ({ caller, guestPass }: HttpExchange): string | null => caller?.session.id ?? guestPass

/**
 * Aborts a request that works with files if its caller has lost a right on which it relies. Other requests are short, and
 * the one that changes the rights must still get its response.
 */
async function abortWithoutRights({ caller, lifetime }: HttpExchange): Promise<void> {
  if (caller?.usesStorage() !== true) return
  try {
    await caller.recheck()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'forbidden' && code !== 'not-signed-in') throw error
    lifetime.abort(code === 'forbidden' ? 'rights' : 'session')
  }
}

/**
 * True when an HTTP/1.1 request has exactly one Host header (RFC 9112 3.2), so that a proxy and this server never use
 * two different hosts of one request.
 */
function hasSingleHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

const malformed: RouteMatch = { kind: 'malformed' }
