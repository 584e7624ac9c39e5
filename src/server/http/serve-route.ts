import type { TSchema } from 'typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { IncomingBody } from '../storage/port.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import { admit, authorise, type AdmissionDependencies } from './admission.ts'
import { sendResponse } from './response/send-response.ts'
import { hasBody, type Exchange } from './exchange.ts'
import type { AuthenticatedCaller } from './authenticator.ts'
import type { FailureResponder } from './failure-responder.ts'
import { createSchemaCheck, createJsonReader, type JsonReader } from './request/json-body.ts'
import { parseQuery, queryValue } from './request/query.ts'
import { hasLargeHead } from './request/large-head.ts'
import { incomingBytes, receiveBytes } from './request/receive.ts'
import type { Route, UntypedRequest } from './route.ts'

export type ServingDependencies = {
  readonly admission: AdmissionDependencies
  readonly nowMs: () => number
  /** Limits the rate of work that blocks the event loop, such as parsing a large head or body. */
  readonly pace: RateLimiter
  /** Answers and logs a failure. */
  readonly fail: FailureResponder
}

/** Answers a request. Never rejects, because failures are also answered. */
export type Handler = (exchange: Exchange) => Promise<void>

/**
 * Creates the handler of one route. It reads the path, checks origin, caller and permission, reads query and body, then
 * calls the operation and sends its response.
 */
export function serveRoute({ endpoint, operation }: Route, dependencies: ServingDependencies): Handler {
  const readQuery = createQueryReader(endpoint.query)
  const readJson = createJsonReader(endpoint, dependencies.pace)
  const ownHeaders = Object.entries(endpoint.headers ?? {})

  return async (exchange) => {
    try {
      for (const [name, value] of ownHeaders) exchange.response.setHeader(name, value)
      if (hasLargeHead(exchange.request)) await dependencies.pace()
      const requestPath = readPath(endpoint, exchange)
      const { path, params } = requestPath
      const admitting = admitCaller(dependencies, endpoint, { exchange, path, params })
      const caller = admitting instanceof Promise ? await admitting : admitting
      const query = readQuery(exchange.target?.query ?? '')
      refuseEncodedBody(endpoint, exchange)
      const operationRequest = createOperationRequest(exchange, requestPath)
      operationRequest.caller = caller
      operationRequest.query = query
      operationRequest.body =
        endpoint.body === 'json' ? await readBody(exchange, dependencies, readJson) : undefined
      operationRequest.bytes = endpoint.body === 'bytes' ? bytesOf(exchange, dependencies) : emptyBody
      const result = operation(operationRequest)
      const sending = sendResponse(exchange, result instanceof Promise ? await result : result)
      if (sending !== undefined) await sending
    } catch (thrown) {
      dependencies.fail(exchange, thrown)
    }
  }
}

const exchangeKey = Symbol('exchange')

/**
 * The members that most operations never read, as accessors on a shared prototype. Accessors in an object literal would
 * give each request its own hidden class, which outlives the request.
 */
const lazyMembers = {
  get signal(): AbortSignal {
    return exchangeOf(this).lifetime.signal()
  },
  get sizeBytes(): number | undefined {
    return contentLengthOf(exchangeOf(this).header)
  },
}

const exchangeOf = (operationRequest: object): Exchange =>
  (operationRequest as { readonly [exchangeKey]: Exchange })[exchangeKey]

/**
 * A request whose members are assigned one by one. Copying an object literal onto the prototype of `lazyMembers` would
 * cost ten times as much.
 */
type UnfinishedRequest = { -readonly [Key in keyof UntypedRequest]: UntypedRequest[Key] } & {
  [exchangeKey]: Exchange
}

function createOperationRequest(
  exchange: Exchange,
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
function readPath({ decodesWholePath = false }: Endpoint, { match }: Exchange): RequestPath {
  if (match.kind !== 'route') throw new AppError('internal', { reason: 'a route without a match' })
  const parsed = decodesWholePath ? parseWholePath(match.rest) : parsePath(match.rest)
  if (parsed === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
  return { path: parsed.path, isFolder: parsed.isFolder, params: match.params }
}

/** Authenticates and authorises the caller. Records the session in the exchange, so that a transfer ends with it. */
function admitCaller(
  { admission }: ServingDependencies,
  endpoint: Endpoint,
  { exchange, path, params }: Pick<RequestPath, 'path' | 'params'> & { readonly exchange: Exchange },
): Caller | undefined | Promise<Caller | undefined> {
  const { request, header, target, client } = exchange
  const query = target?.query ?? ''
  const authoriseCaller = (recognised: AuthenticatedCaller | undefined): Caller | undefined => {
    if (recognised === undefined) return undefined
    exchange.shouldRenew = recognised.shouldRenew
    exchange.sessionId = recognised.caller.session.id
    authorise(endpoint, recognised.caller, params)
    return recognised.caller
  }
  const recognised = admit(admission, {
    endpoint,
    method: request.method ?? '',
    header,
    path,
    queryToken: queryValue(query, 'auth'),
    isInline: queryValue(query, 'inline') === 'true',
    client,
    isSocket: false,
  })
  return recognised instanceof Promise ? recognised.then(authoriseCaller) : authoriseCaller(recognised)
}

/**
 * Creates a function that parses a query and checks it against a schema. Keys that the schema does not declare are
 * dropped. All values are text.
 */
function createQueryReader(schema: TSchema | undefined) {
  const fits = schema === undefined ? () => true : createSchemaCheck(schema)
  const keys = schema !== undefined && 'properties' in schema ? Object.keys(schema.properties as object) : []
  const isNoneEnough = fits({})
  return (text: string): Readonly<Record<string, string>> => {
    if (text === '' && isNoneEnough) return {}
    const sent = parseQuery(text)
    const query: Record<string, string> = {}
    for (const key of keys) {
      const value = sent.get(key)
      if (value !== undefined) query[key] = value
    }
    if (!fits(query)) throw new AppError('bad-request', { reason: 'the query does not have the right keys' })
    return query
  }
}

function refuseEncodedBody({ body }: Endpoint, { request, header }: Exchange): void {
  if (body === 'none') return
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return
  if (hasBody(request)) throw new AppError('encoded-body')
}

function contentLengthOf(header: Exchange['header']): number | undefined {
  const length = header('content-length')
  return length === undefined ? undefined : Number(length)
}

/**
 * Opens the byte stream of an upload. The stream fails when the session ends, and when the client sends nothing for too
 * long.
 */
const bytesOf = (
  { request, response, limits, lifetime }: Exchange,
  { nowMs }: ServingDependencies,
): IncomingBody =>
  incomingBytes({
    request,
    response,
    limits,
    nowMs,
    signal: lifetime.signal(),
    onStart: lifetime.becomeTransfer,
  })

/** Reads a JSON body. A single timeout applies to the complete body. */
async function readBody(
  exchange: Exchange,
  { nowMs }: ServingDependencies,
  read: JsonReader,
): Promise<unknown> {
  const { jsonTimeoutMs } = exchange.limits
  const limits = {
    receiveIdleMs: jsonTimeoutMs,
    receiveWindowMs: jsonTimeoutMs,
    receiveBytesPerSecond: Number.POSITIVE_INFINITY,
  }
  const { request, response, lifetime } = exchange
  const bytes = receiveBytes({ request, response, limits, nowMs, signal: lifetime.signal() })
  return read(bytes, contentLengthOf(exchange.header))
}

const emptyBody: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
