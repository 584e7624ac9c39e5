import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { createBag } from '../../shared/domain/bag.ts'
import { createResponseBatcher } from './response/response-batcher.ts'
import type { SessionWatcher } from '../auth/session-ends.ts'
import { headerReader, type Exchange } from './exchange.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { createRequestLifetime } from './request-lifetime.ts'
import { clientOf } from './request/client-address.ts'
import { readTarget } from './request/request-target.ts'
import { createRouteTable, type RouteMatch } from './request/route-table.ts'

export type ExchangeTrackerDependencies = {
  readonly names: readonly RouteName[]
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly isTrusted: (address: string) => boolean
  readonly newId: () => string
  /** Called when a request has ended. */
  readonly onRequestEnd?: (() => void) | undefined
}

/** Creates the exchange of each request, and keeps track of the exchanges in flight. */
export type ExchangeTracker = {
  begin(request: IncomingMessage, response: ServerResponse): Exchange
  /** True when a response is being written to a connection and is not complete yet. */
  readonly isResponding: (socket: Duplex) => boolean
  /** True while a request is in flight. */
  readonly isBusy: () => boolean
  /** Aborts all requests in flight because the server stops. */
  cutAll(): void
  /** Aborts transfers when their sessions end. */
  readonly watcher: SessionWatcher
}

export function createExchangeTracker({
  names,
  options,
  limits,
  isTrusted,
  newId,
  onRequestEnd,
}: ExchangeTrackerDependencies): ExchangeTracker {
  const match = createRouteTable(names)
  const inFlight = createBag<Exchange>()
  const endResponse = createResponseBatcher()

  function begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const target = namesOneHost(request) ? readTarget(request.url ?? '', options.basePath) : null
    let id: string | undefined
    const exchange: Exchange = {
      id: () => (id ??= newId()),
      request,
      response,
      target,
      match: target === null ? malformed : match(request.method ?? '', target.path),
      client: clientOf(request, isTrusted),
      lifetime: createRequestLifetime(response),
      limits,
      endResponse,
      header: headerReader(request),
      sessionId: null,
      shouldRenew: false,
    }
    const remove = inFlight.add(exchange)
    response.on('close', () => {
      remove()
      exchange.lifetime.close()
      onRequestEnd?.()
    })
    return exchange
  }

  return {
    begin,
    isResponding: (socket) =>
      inFlight
        .all()
        .some(
          ({ request, response }) =>
            request.socket === socket && response.headersSent && !response.writableFinished,
        ),
    isBusy: () => inFlight.size() > 0,
    cutAll: () => inFlight.all().forEach(({ lifetime }) => lifetime.cut('stop')),
    watcher: {
      running: () => inFlight.all().flatMap(({ sessionId }) => sessionId ?? []),
      ended(ids) {
        for (const { sessionId, lifetime } of inFlight.all())
          if (sessionId !== null && ids.has(sessionId)) lifetime.endSession()
      },
    },
  }
}

/**
 * True when an HTTP/1.1 request names exactly one host (RFC 9112 3.2), so that a proxy and this server never see two
 * different hosts in one request.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

const malformed: RouteMatch = { kind: 'malformed' }
