import type { Reading } from '../concurrency/reading-memory.ts'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { IncomingBody } from '../storage/change.ts'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import { admit, authorise, type AdmissionDependencies } from './admission.ts'
import { sendResponse } from './response/send-response.ts'
import { hasBody, headerValues, refuseLongHeaders, type HttpExchange } from './exchange.ts'
import type { AuthenticatedCaller } from './authenticator.ts'
import type { FailureResponder } from './failure-responder.ts'
import { createSchemaCheck, createJsonReader, type JsonReader } from './request/json-body.ts'
import { parseQuery, queryValue } from './request/query.ts'
import { headCharsOf, largeHeadChars } from './request/large-head.ts'
import { incomingBytes, receiveBytes } from './request/receive.ts'
import type { RefusedCall, Route, UntypedRequest } from './route.ts'

export type ServingDependencies = {
  readonly admission: AdmissionDependencies
  readonly nowMs: () => number
  /** Limits the rate at which large heads, which strangers can send, are parsed. The key is the client's address. */
  readonly pace: RateLimiter
  /** Limits the rate at which large bodies are parsed. */
  readonly paceBodies: RateLimiter
  /** Limits the bytes of large heads and bodies that are being served. */
  readonly largeRequests: ByteBudget
  /** Called when a caller lacks the right to call an endpoint. */
  readonly onRefusal?: (call: RefusedCall) => void
  /** Sends the failure response and logs the failure. */
  readonly fail: FailureResponder
}

/** Handles a request and sends its response. Never rejects, because each error is sent as a failure response. */
export type ExchangeHandler = (exchange: HttpExchange) => Promise<void>

/**
 * Creates the handler of one route. The handler parses the path, checks the origin, the caller and the permissions,
 * parses the query and the body, calls the operation, and sends its response.
 */
export function serveRoute(
  { endpoint, operation }: Route,
  dependencies: ServingDependencies,
): ExchangeHandler {
  const readQuery = createQueryReader(endpoint.query)
  const readJson = createJsonReader(endpoint, dependencies.paceBodies)
  const endpointHeaders = Object.entries(endpoint.headers ?? {})

  return async (exchange) => {
    try {
      for (const [name, value] of endpointHeaders) exchange.response.setHeader(name, value)
      refuseLongHeaders(exchange.request)
      const headChars = headCharsOf(exchange.request)
      if (headChars > largeHeadChars) {
        holdBytes(dependencies, exchange, headChars)
        await dependencies.pace(exchange.client.address)
      }
      const requestPath = readPath(endpoint, exchange)
      const admitting = admitCaller(dependencies, endpoint, { exchange, ...requestPath })
      const caller = admitting instanceof Promise ? await admitting : admitting
      const query = readQuery(exchange.target?.query ?? '')
      refuseEncodedBody(endpoint, exchange)
      const operationRequest = createOperationRequest(exchange, requestPath)
      operationRequest.caller = caller
      operationRequest.query = query
      operationRequest.body =
        endpoint.body === 'json' ? await readBody(exchange, dependencies, readJson) : undefined
      operationRequest.bytes =
        endpoint.body === 'bytes' ? openUploadStream(exchange, dependencies) : emptyBody
      const result = operation(operationRequest)
      const sending = sendResponse(exchange, result instanceof Promise ? await result : result)
      if (sending !== undefined) await sending
    } catch (thrown) {
      dependencies.fail(exchange, thrown)
    }
  }
}

/** Takes bytes from the budget of large requests until the response was sent. Throws `overloaded` when too many are held. */
function holdBytes(
  { largeRequests }: ServingDependencies,
  { response, client }: HttpExchange,
  bytes: number,
): void {
  response.once('close', largeRequests.take(client.address, bytes))
}

const exchangeKey = Symbol('exchange')

/**
 * Accessors for members that most operations never read. They are on a shared prototype, because V8 would create a
 * hidden class per request for accessors in an object literal, and keep it after the request has ended.
 */
const lazyMembers = {
  get signal(): AbortSignal {
    return exchangeOf(this).lifetime.signal()
  },
  get runUnderPass(): UntypedRequest['runUnderPass'] {
    const exchange = exchangeOf(this)
    return (id) => {
      exchange.guestPass = id
    }
  },
  get headerValues(): UntypedRequest['headerValues'] {
    const { request } = exchangeOf(this)
    return (name) => headerValues(request, name)
  },
  get plainPort(): number | null {
    const { socket } = exchangeOf(this).request
    return 'encrypted' in socket ? null : (socket.localPort ?? null)
  },
  get reading(): Reading {
    const exchange = exchangeOf(this)
    return (exchange.reading ??= openReading(exchange))
  },
  get isHead(): boolean {
    return exchangeOf(this).request.method === 'HEAD'
  },
  get sizeBytes(): number | undefined {
    return contentLengthOf(exchangeOf(this).header)
  },
}

/** Opens the reading of a response, which counts for the user or, without a login, for the address. */
function openReading({ readingMemory, caller, client, lifetime, response }: HttpExchange): Reading {
  const reading = readingMemory.open({
    key: caller === null ? client.address : `user ${caller.user.id}`,
    signal: lifetime.signal,
    end: () => lifetime.abort('stalled'),
  })
  response.once('close', reading.close)
  return reading
}

const exchangeOf = (operationRequest: object): HttpExchange =>
  (operationRequest as { readonly [exchangeKey]: HttpExchange })[exchangeKey]

/**
 * A request whose members are assigned one by one. Copying an object literal to an object with the prototype
 * `lazyMembers` would take ten times as long.
 */
type UnfinishedRequest = { -readonly [Key in keyof UntypedRequest]: UntypedRequest[Key] } & {
  [exchangeKey]: HttpExchange
}

function createOperationRequest(
  exchange: HttpExchange,
  { path, isFolder, params }: RequestPath,
): UnfinishedRequest {
  const request = Object.create(lazyMembers) as UnfinishedRequest
  request[exchangeKey] = exchange
  request.header = exchange.header
  request.client = exchange.client
  request.path = path
  request.isFolder = isFolder
  request.params = params
  return request
}

type RequestPath = Pick<UntypedRequest, 'path' | 'isFolder' | 'params'>

/**
 * Reads the path and the parameters of a request, before the caller is authenticated. Throws `bad-request` for a
 * malformed path.
 */
function readPath({ decodesWholePath = false }: Endpoint, { match }: HttpExchange): RequestPath {
  if (match.kind !== 'route') throw new AppError('internal', { reason: 'a route without a match' })
  const parsed = decodesWholePath ? parseWholePath(match.rest) : parsePath(match.rest)
  if (parsed === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
  return { path: parsed.path, isFolder: parsed.isFolder, params: match.params }
}

/**
 * Authenticates and authorises the caller. Records the caller in the exchange, so that the request is aborted when the
 * session ends or a right is taken away.
 */
function admitCaller(
  { admission, onRefusal }: ServingDependencies,
  endpoint: Endpoint,
  { exchange, path, isFolder, params }: RequestPath & { readonly exchange: HttpExchange },
): Caller | undefined | Promise<Caller | undefined> {
  const { request, header, target, client } = exchange
  const query = target?.query ?? ''
  const authoriseCaller = (recognised: AuthenticatedCaller | undefined): Caller | undefined => {
    if (recognised === undefined) return undefined
    exchange.shouldRenew = recognised.shouldRenew
    exchange.caller = recognised.caller
    const { caller } = recognised
    try {
      authorise(endpoint, caller, params)
    } catch (thrown) {
      onRefusal?.({ endpoint, caller, client, path, isFolder })
      throw thrown
    }
    return caller
  }
  const recognised = admit(admission, {
    endpoint,
    method: request.method ?? '',
    header,
    path,
    queryToken: queryValue(query, 'auth'),
    isInline: queryValue(query, 'inline') === 'true',
    client,
    isUpgrade: false,
    headerValues: (name) => headerValues(request, name),
  })
  return recognised instanceof Promise ? recognised.then(authoriseCaller) : authoriseCaller(recognised)
}

/**
 * Creates a function that parses a query and checks it against a schema. Keys that the schema does not declare are
 * dropped. All values are strings.
 */
function createQueryReader(schema: TSchema | undefined) {
  const matchesSchema = schema === undefined ? () => true : createSchemaCheck(schema)
  const keys = schema !== undefined && 'properties' in schema ? Object.keys(schema.properties as object) : []
  const acceptsEmptyQuery = matchesSchema({})
  return (text: string): Readonly<Record<string, string>> => {
    if (text === '' && acceptsEmptyQuery) return {}
    const parameters = parseQuery(text)
    const query: Record<string, string> = {}
    for (const key of keys) {
      const value = parameters.get(key)
      if (value !== undefined) query[key] = value
    }
    if (!matchesSchema(query))
      throw new AppError('bad-request', { reason: 'the query does not match the schema' })
    return query
  }
}

function refuseEncodedBody({ body }: Endpoint, { request, header }: HttpExchange): void {
  if (body === 'none') return
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return
  if (hasBody(request)) throw new AppError('encoded-body')
}

function contentLengthOf(header: HttpExchange['header']): number | undefined {
  const length = header('content-length')
  return length === undefined ? undefined : Number(length)
}

/**
 * Opens the byte stream of an upload. The stream fails when the session ends, and when the client sends nothing for too
 * long.
 */
const openUploadStream = (
  { request, response, limits, lifetime, onChunk }: HttpExchange,
  { nowMs }: ServingDependencies,
): IncomingBody =>
  incomingBytes({
    request,
    response,
    limits,
    nowMs,
    signal: lifetime.signal(),
    onStart: lifetime.becomeTransfer,
    onChunk,
  })

/** Reads a JSON body. One timeout applies to the complete body, in place of the limits for pauses and rates. */
async function readBody(
  exchange: HttpExchange,
  dependencies: ServingDependencies,
  read: JsonReader,
): Promise<unknown> {
  const { jsonTimeoutMs } = exchange.limits
  const limits = {
    receiveIdleMs: jsonTimeoutMs,
    receiveWindowMs: jsonTimeoutMs,
    receiveBytesPerSecond: Number.POSITIVE_INFINITY,
  }
  const { request, response, lifetime, onChunk } = exchange
  const { nowMs } = dependencies
  const bytes = receiveBytes({ request, response, limits, nowMs, signal: lifetime.signal(), onChunk })
  return read(bytes, {
    sizeBytes: contentLengthOf(exchange.header),
    hold: (heldBytes) => holdBytes(dependencies, exchange, heldBytes),
  })
}

const emptyBody: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
