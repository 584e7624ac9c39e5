import type { TSchema } from 'typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, type Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Incoming } from '../storage/port.ts'
import type { Pacer } from '../turns/pacer.ts'
import { admit, authorise, type Gate } from './admit.ts'
import { sendAnswer } from './answer/send-answer.ts'
import { hasBody, type Exchange } from './exchange.ts'
import type { Recognised } from './doors.ts'
import type { Fail } from './fail.ts'
import { createCheck, createJsonReader, type JsonReader } from './request/json-body.ts'
import { parseQuery, valueIn } from './request/query.ts'
import { isLarge } from './request/large-head.ts'
import { incoming, receive } from './request/receive.ts'
import type { Asked, Route } from './route.ts'

export type ServingNeeds = {
  readonly gate: Gate
  readonly nowMs: () => number
  /** Before what takes long to be read. */
  readonly pace: Pacer
  /** Answers and logs a failure. */
  readonly fail: Fail
}

/** Answers a request; never throws: what fails is answered, too. */
export type Handler = (exchange: Exchange) => Promise<void>

/** Binds one route: path, origin, who, permission, query, body, operation, answer; in this order. */
export function serveRoute({ endpoint, operation }: Route, needs: ServingNeeds): Handler {
  const readQuery = createQueryReader(endpoint.query)
  const readJson = createJsonReader(endpoint, needs.pace)
  const ownHeaders = Object.entries(endpoint.headers ?? {})

  return async (exchange) => {
    try {
      for (const [name, value] of ownHeaders) exchange.response.setHeader(name, value)
      if (isLarge(exchange.request)) await needs.pace()
      const place = placeOf(endpoint, exchange)
      const entering = enter(needs, endpoint, { exchange, path: place.path })
      const caller = entering instanceof Promise ? await entering : entering
      const query = readQuery(exchange.target?.query ?? '')
      refuseEncoded(endpoint, exchange)
      const asked = newAsked(exchange, place)
      // There is one wherever the endpoint says so: `enter` lets nobody else in.
      asked.caller = caller as Caller
      asked.query = query
      asked.body = endpoint.body === 'json' ? await readBody(exchange, needs, readJson) : undefined
      asked.bytes = endpoint.body === 'bytes' ? bytesOf(exchange, needs) : nothing
      const working = operation(asked)
      const leaving = sendAnswer(exchange, working instanceof Promise ? await working : working)
      if (leaving !== undefined) await leaving
    } catch (thrown) {
      needs.fail(exchange, thrown)
    }
  }
}

const beneath = Symbol('exchange')

/**
 * What most operations never ask for. An accessor in the object's own literal would give each request a hidden class of its own, which
 * outlives it; one on a prototype does not.
 */
const whenAsked = {
  get signal(): AbortSignal {
    return exchangeOf(this).lifeline.signal()
  },
  get sizeBytes(): number | undefined {
    return announcedSize(exchangeOf(this).header)
  },
}

const exchangeOf = (asked: object): Exchange => (asked as { readonly [beneath]: Exchange })[beneath]

/** Filled in one after the other: copied as a whole onto its prototype it would cost ten times as much. */
type Filling = { -readonly [Key in keyof Asked<Endpoint>]: Asked<Endpoint>[Key] } & { [beneath]: Exchange }

function newAsked(exchange: Exchange, { path, isFolder, id, word }: Place): Filling {
  const asked = Object.create(whenAsked) as Filling
  asked[beneath] = exchange
  asked.header = exchange.header
  asked.client = exchange.client
  asked.path = path
  asked.isFolder = isFolder
  asked.id = id
  asked.word = word
  return asked
}

type Place = Pick<Asked<Endpoint>, 'path' | 'isFolder' | 'id' | 'word'>

/** What the path names, before anybody is asked for. */
function placeOf({ takesPathWhole = false }: Endpoint, { match }: Exchange): Place {
  if (match.kind !== 'route') throw new AppError('internal', { reason: 'a route without a match' })
  const parsed = takesPathWhole ? parseWholePath(match.rest) : parsePath(match.rest)
  if (parsed === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
  return { path: parsed.path, isFolder: parsed.isFolder, id: match.id, word: match.word ?? '' }
}

/** Lets the caller in, and ends a transfer when their session ends. */
function enter(
  { gate }: ServingNeeds,
  endpoint: Endpoint,
  { exchange, path }: { readonly exchange: Exchange; readonly path: Path },
): Caller | undefined | Promise<Caller | undefined> {
  const { request, header, match, target, client } = exchange
  const id = match.kind === 'route' ? match.id : 0
  const query = target?.query ?? ''
  const letIn = (recognised: Recognised | undefined): Caller | undefined => {
    if (recognised === undefined) return undefined
    exchange.shouldRenew = recognised.shouldRenew
    exchange.sessionId = recognised.caller.session.id
    authorise(endpoint, recognised.caller, id)
    return recognised.caller
  }
  const recognised = admit(gate, {
    endpoint,
    method: request.method ?? '',
    header,
    path,
    queryToken: valueIn(query, 'auth'),
    isInline: valueIn(query, 'inline') === 'true',
    client,
    isSocket: false,
  })
  return recognised instanceof Promise ? recognised.then(letIn) : letIn(recognised)
}

/** Only declared keys are handed on; all of them are texts. */
function createQueryReader(schema: TSchema | undefined) {
  const fits = schema === undefined ? () => true : createCheck(schema)
  const keys = schema !== undefined && 'properties' in schema ? Object.keys(schema.properties as object) : []
  const isNoneEnough = fits({})
  return (text: string): Readonly<Record<string, never>> => {
    if (text === '' && isNoneEnough) return {}
    const sent = parseQuery(text)
    const query = Object.fromEntries(keys.flatMap((key) => (sent.has(key) ? [[key, sent.get(key)]] : [])))
    if (!fits(query)) throw new AppError('bad-request', { reason: 'the query does not have the right keys' })
    return query as Readonly<Record<string, never>>
  }
}

function refuseEncoded({ body }: Endpoint, { request, header }: Exchange): void {
  if (body === 'none') return
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return
  if (hasBody(request)) throw new AppError('encoded-body')
}

function announcedSize(header: Exchange['header']): number | undefined {
  const length = header('content-length')
  return length === undefined ? undefined : Number(length)
}

/** The bytes of an upload: they end with the session, and with a client that keeps silent. */
const bytesOf = ({ request, response, limits, lifeline }: Exchange, { nowMs }: ServingNeeds): Incoming =>
  incoming({
    request,
    response,
    limits,
    nowMs,
    signal: lifeline.signal(),
    onStart: lifeline.becomeTransfer,
  })

/** JSON has one time for all of it, however it dribbles in. */
async function readBody(exchange: Exchange, { nowMs }: ServingNeeds, read: JsonReader): Promise<undefined> {
  const { jsonTimeoutMs } = exchange.limits
  const limits = {
    receiveIdleMs: jsonTimeoutMs,
    receiveWindowMs: jsonTimeoutMs,
    receiveBytesPerSecond: Number.POSITIVE_INFINITY,
  }
  const { request, response, lifeline } = exchange
  const bytes = receive({ request, response, limits, nowMs, signal: lifeline.signal() })
  return (await read(bytes, announcedSize(exchange.header))) as undefined
}

const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
