import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { routes as patterns } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, type Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Incoming } from '../storage/port.ts'
import type { Pacer } from '../turns/pacer.ts'
import { admit, authorise, type Gate } from './admit.ts'
import { sendAnswer } from './answer/send-answer.ts'
import { hasBody, type Exchange } from './exchange.ts'
import type { Fail } from './fail.ts'
import type { Lifeline } from './lifeline.ts'
import type { Exchanges } from './open-exchanges.ts'
import { createCheck, createJsonReader, type JsonReader } from './request/json-body.ts'
import { parseQuery, valueIn } from './request/query.ts'
import { isLarge } from './request/large-head.ts'
import { incoming, receive } from './request/receive.ts'
import { takesAnyMethod } from './request/route-table.ts'
import type { Asked, Route } from './route.ts'

export type ServingNeeds = {
  readonly gate: Gate
  readonly exchanges: Exchanges
  readonly nowMs: () => number
  /** Before what takes long to be read. */
  readonly pace: Pacer
  /** Answers and logs a failure, also of an answer that the framework no longer sees. */
  readonly fail: Fail
}

/** Binds one route: path, origin, who, permission, query, body, operation, answer; in this order. */
export function serveRoute(app: FastifyInstance, { endpoint, operation }: Route, needs: ServingNeeds): void {
  const readQuery = createQueryReader(endpoint.query)
  const readJson = createJsonReader(endpoint, needs.pace)
  const ownHeaders = Object.entries(endpoint.headers ?? {})

  async function answer(exchange: Exchange, reply: FastifyReply): Promise<void> {
    const place = placeOf(endpoint, exchange)
    const caller = await enter(needs, endpoint, { exchange, path: place.path })
    const query = readQuery(exchange.target?.query ?? '')
    refuseEncoded(endpoint, exchange)
    const asked = newAsked(exchange)
    // There is one wherever the endpoint says so: `enter` lets nobody else in.
    asked.caller = caller as Caller
    asked.path = place.path
    asked.isFolder = place.isFolder
    asked.id = place.id
    asked.word = place.word
    asked.query = query
    asked.body = endpoint.body === 'json' ? await readBody(exchange, needs, readJson) : undefined
    asked.bytes = endpoint.body === 'bytes' ? bytesOf(exchange, needs) : nothing
    asked.sizeBytes = announcedSize(exchange)
    await sendAnswer(exchange, reply, await operation(asked))
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const exchange = needs.exchanges.of(request.raw)
    for (const [name, value] of ownHeaders) exchange.response.setHeader(name, value)
    try {
      if (isLarge(request.raw)) await needs.pace()
      await answer(exchange, reply)
    } catch (thrown) {
      needs.fail(exchange, reply, thrown)
    }
    return reply
  }

  app.route({
    method: [...methodsOf(app, endpoint)],
    url: `/${endpoint.route}`,
    handler: serve,
  })
}

function methodsOf(app: FastifyInstance, { route }: Endpoint): readonly string[] {
  const { method } = patterns[route]
  if (takesAnyMethod(route)) return app.supportedMethods
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

const lifelineOf = Symbol('lifeline')

/**
 * Most operations never ask for their signal. An accessor in the object's own literal would give each request a hidden class of
 * its own, which outlives it; one on a prototype does not.
 */
const signalWhenAsked = {
  get signal(): AbortSignal {
    return (this as unknown as { readonly [lifelineOf]: Lifeline })[lifelineOf].signal()
  },
}

/** Filled in one after the other: copied as a whole onto its prototype it would cost ten times as much. */
type Filling = { -readonly [Key in keyof Asked<Endpoint>]: Asked<Endpoint>[Key] } & {
  [lifelineOf]: Lifeline
}

function newAsked({ lifeline, header, client }: Exchange): Filling {
  const asked = Object.create(signalWhenAsked) as Filling
  asked[lifelineOf] = lifeline
  asked.header = header
  asked.client = client
  return asked
}

/** What the path names, before anybody is asked for. */
function placeOf(
  { takesPathWhole = false }: Endpoint,
  { match }: Exchange,
): {
  readonly path: Path
  readonly isFolder: boolean
  readonly id: number
  readonly word: string
} {
  if (match.kind !== 'route') throw new AppError('internal', { reason: 'a route without a match' })
  const parsed = takesPathWhole ? parseWholePath(match.rest) : parsePath(match.rest)
  if (parsed === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
  return { ...parsed, id: match.id, word: match.word ?? '' }
}

/** Lets the caller in, and ends a transfer when their session ends. */
async function enter(
  { gate }: ServingNeeds,
  endpoint: Endpoint,
  { exchange, path }: { readonly exchange: Exchange; readonly path: Path },
): Promise<Caller | undefined> {
  const { request, response, header, lifeline, match, target } = exchange
  const id = match.kind === 'route' ? match.id : 0
  const recognised = await admit(gate, {
    endpoint,
    method: request.method ?? '',
    header,
    path,
    queryToken: valueIn(target?.query ?? '', 'auth'),
    isInline: valueIn(target?.query ?? '', 'inline') === 'true',
    client: exchange.client,
    isSocket: false,
  })
  if (recognised === undefined) return undefined
  exchange.shouldRenew = recognised.shouldRenew
  const stopListening = gate.doors.onSessionEnd(recognised.caller.session.id, lifeline.endSession)
  if (response.destroyed) stopListening()
  else response.on('close', stopListening)
  authorise(endpoint, recognised.caller, id)
  return recognised.caller
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
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? ''
  if (body === 'none' || encoding === '' || encoding === 'identity') return
  if (hasBody(request)) throw new AppError('encoded-body')
}

function announcedSize({ header }: Exchange): number | undefined {
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
  return (await read(bytes, announcedSize(exchange))) as undefined
}

const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
