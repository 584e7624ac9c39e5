import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { errorHeader, errorStatus } from '../../shared/contract/errors.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits as domainLimits } from '../../shared/domain/limits.ts'
import { parsePath } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Pacer } from '../turns/pacer.ts'
import { admit, authorise, type Gate } from './admit.ts'
import { headerReader } from './exchange.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { bareAnswer } from './node-server.ts'
import { clientOf } from './request/client-address.ts'
import { isLarge } from './request/large-head.ts'
import { parseQuery, valueIn } from './request/query.ts'
import { readTarget } from './request/request-target.ts'
import { createRouteTable } from './request/route-table.ts'
import type { LogFailure } from './request-log.ts'
import type { Socket, SocketRoute } from './socket-route.ts'

export type SocketsNeeds = {
  readonly sockets: readonly SocketRoute[]
  readonly gate: Gate
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly isTrusted: (address: string) => boolean
  readonly pace: Pacer
  readonly logFailure: LogFailure
}

/** The open sockets. */
export type Sockets = { closeAll(): void }

/** Answers upgrades: admitted like any request, then handed to their route; counted by user, kept by answered pings. */
export function attachSockets(server: Server, needs: SocketsNeeds): Sockets {
  const { limits } = needs
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: domainLimits.socketMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const match = createRouteTable(needs.sockets.map(({ endpoint }) => endpoint.route))
  const perUser = createPlaces()

  async function upgrade(request: IncomingMessage, net: Duplex, head: Buffer): Promise<void> {
    if (isLarge(request)) await needs.pace()
    const asked = await admitUpgrade(request, needs, match)
    const leave = perUser.take(asked.caller.user.id, asked.route, limits.socketsPerUser)
    net.once('close', leave)
    if (net.destroyed) return leave()
    wss.handleUpgrade(request, net, head, (ws) => {
      keepAlive(ws, limits.socketIdleMs)
      const stopListening = needs.gate.doors.onSessionEnd(asked.caller.session.id, () => end(ws, 4401))
      ws.once('close', stopListening)
      asked.route.connect({ caller: asked.caller, path: asked.path, socket: socketOf(ws) })
    })
  }

  server.on('upgrade', (request, net: Duplex, head) => {
    net.on('error', () => net.destroy())
    upgrade(request, net, head).catch((thrown: unknown) => refuse(needs, { request, net, thrown }))
  })
  return { closeAll: () => wss.clients.forEach((ws) => end(ws, 1001)) }
}

type Upgrade = {
  readonly caller: Caller
  readonly path: ReturnType<typeof pathOfRest>
  readonly route: SocketRoute
}

async function admitUpgrade(
  request: IncomingMessage,
  { gate, sockets, options, isTrusted }: SocketsNeeds,
  match: ReturnType<typeof createRouteTable>,
): Promise<Upgrade> {
  const target = readTarget(request.url ?? '', options.basePath)
  const found = target === null ? null : match(request.method ?? '', target.path)
  const route = found?.kind === 'route' ? sockets.find((it) => it.endpoint.route === found.name) : undefined
  if (target === null || found?.kind !== 'route' || route === undefined) throw new AppError('not-found')
  const path = pathOfRest(found.rest)
  const recognised = await admit(gate, {
    endpoint: route.endpoint,
    method: 'GET',
    header: headerReader(request),
    path,
    queryToken: valueIn(target.query, 'auth'),
    isInline: false,
    client: clientOf(request, isTrusted),
    isSocket: true,
  })
  if (recognised === undefined) throw new AppError('not-signed-in')
  authorise(route.endpoint, recognised.caller, found.id)
  parseQuery(target.query)
  return { caller: recognised.caller, path, route }
}

function pathOfRest(rest: string) {
  const parsed = parsePath(rest)
  if (parsed === null) throw new AppError('bad-request')
  return parsed.path
}

function refuse(
  { options, isTrusted, logFailure }: SocketsNeeds,
  {
    request,
    net,
    thrown,
  }: { readonly request: IncomingMessage; readonly net: Duplex; readonly thrown: unknown },
): void {
  const code = codeOf(thrown)
  const status = errorStatus[code]
  const path = readTarget(request.url ?? '', options.basePath)?.path ?? '-'
  logFailure({ path, status, address: clientOf(request, isTrusted).address, thrown })
  if (net.writable) net.end(bareAnswer(status, { [errorHeader]: code }), () => net.destroy())
  else net.destroy()
}

/** How many sockets each user has, of all kinds and of each; one that is gone frees its place at once. */
function createPlaces() {
  const taken = new Map<string, number>()

  function count(place: string, step: 1 | -1): void {
    const left = (taken.get(place) ?? 0) + step
    if (left === 0) taken.delete(place)
    else taken.set(place, left)
  }

  return {
    take(userId: number, { endpoint, mostPerUser }: SocketRoute, mostOfAll: number): () => void {
      const [all, own] = [`${userId}`, `${userId} ${endpoint.route}`]
      if ((taken.get(all) ?? 0) >= mostOfAll) throw tooMany()
      if (mostPerUser !== undefined && (taken.get(own) ?? 0) >= mostPerUser) throw tooMany()
      for (const place of [all, own]) count(place, 1)
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        for (const place of [all, own]) count(place, -1)
      }
    },
  }
}

const tooMany = (): AppError => new AppError('too-many-tries', { retryAfterSeconds: 10 })

/** Pings twice in the idle time; a socket that answered nothing for all of it is gone. */
function keepAlive(ws: WebSocket, idleMs: number): void {
  const dead = setTimeout(() => ws.terminate(), idleMs)
  const pinger = setInterval(() => ws.ping(), idleMs / 2)
  const live = (): void => void dead.refresh()
  ws.on('pong', live).on('message', live)
  ws.on('error', () => ws.terminate())
  ws.once('close', () => {
    clearTimeout(dead)
    clearInterval(pinger)
  })
}

/** Says goodbye, and does not wait for the answer longer than half a second. */
function end(ws: WebSocket, code: number, reason = ''): void {
  ws.close(code, reason)
  setTimeout(() => ws.terminate(), 500).unref()
}

function socketOf(ws: WebSocket): Socket {
  const early: string[] = []
  let listener = (text: string): void => void early.push(text)
  ws.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (isBinary) end(ws, 1003)
    else listener(bytes.toString('utf8'))
  })
  return {
    send: (text) => {
      if (ws.readyState === ws.OPEN) ws.send(text)
    },
    onMessage: (next) => {
      listener = next
      early.splice(0).forEach(next)
    },
    onClose: (next) => {
      if (ws.readyState === ws.CLOSED) next()
      else ws.once('close', next)
    },
    deliver: (text) =>
      new Promise((resolve) => {
        if (ws.readyState === ws.OPEN) ws.send(text, () => resolve())
        else resolve()
      }),
    close: (reason) => end(ws, 1000, reason),
    waitingBytes: () => ws.bufferedAmount,
  }
}
