import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { errorHeader, errorStatus } from '../../shared/contract/errors.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits as domainLimits } from '../../shared/domain/limits.ts'
import { parsePath } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import { admit, authorise, type AdmissionDependencies } from './admission.ts'
import { headerReader } from './exchange.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { bareResponse } from './node-server.ts'
import { clientOf } from './request/client-address.ts'
import { hasLargeHead } from './request/large-head.ts'
import { parseQuery, queryValue } from './request/query.ts'
import { readTarget } from './request/request-target.ts'
import { createRouteTable } from './request/route-table.ts'
import type { FailureLogger } from './request-log.ts'
import type { Socket, SocketRoute } from './socket-route.ts'

export type SocketDependencies = {
  readonly sockets: readonly SocketRoute[]
  readonly admission: AdmissionDependencies
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly isTrusted: (address: string) => boolean
  readonly pace: RateLimiter
  readonly logFailure: FailureLogger
}

/** The open WebSockets. */
export type OpenSockets = { closeAll(): void }

/**
 * Answers upgrade requests. They are admitted like other requests, counted towards the limits of their user, and passed
 * to their route. Sockets that do not answer pings are closed.
 */
export function attachSockets(server: Server, dependencies: SocketDependencies): OpenSockets {
  const { limits } = dependencies
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: domainLimits.socketMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const match = createRouteTable(dependencies.sockets.map(({ endpoint }) => endpoint.route))
  const perUser = createSocketCounter()

  async function upgrade(request: IncomingMessage, net: Duplex, head: Buffer): Promise<void> {
    if (hasLargeHead(request)) await dependencies.pace()
    const admitted = await admitUpgrade(request, dependencies, match)
    const release = perUser.take(admitted.caller.user.id, admitted.route, limits.socketsPerUser)
    net.once('close', release)
    if (net.destroyed) return release()
    wss.handleUpgrade(request, net, head, (ws) => {
      keepAlive(ws, limits.socketIdleMs)
      const stopListening = dependencies.admission.authenticator.onSessionEnd(
        admitted.caller.session.id,
        () => end(ws, 4401),
      )
      ws.once('close', stopListening)
      admitted.route.connect({ caller: admitted.caller, path: admitted.path, socket: socketOf(ws) })
    })
  }

  server.on('upgrade', (request, net: Duplex, head) => {
    net.on('error', () => net.destroy())
    upgrade(request, net, head).catch((thrown: unknown) => refuse(dependencies, { request, net, thrown }))
  })
  return { closeAll: () => wss.clients.forEach((ws) => end(ws, 1001)) }
}

type AdmittedUpgrade = {
  readonly caller: Caller
  readonly path: ReturnType<typeof pathOfRest>
  readonly route: SocketRoute
}

async function admitUpgrade(
  request: IncomingMessage,
  { admission, sockets, options, isTrusted }: SocketDependencies,
  match: ReturnType<typeof createRouteTable>,
): Promise<AdmittedUpgrade> {
  const target = readTarget(request.url ?? '', options.basePath)
  const matched = target === null ? null : match(request.method ?? '', target.path)
  const route =
    matched?.kind === 'route' ? sockets.find((it) => it.endpoint.route === matched.name) : undefined
  if (target === null || matched?.kind !== 'route' || route === undefined) throw new AppError('not-found')
  const path = pathOfRest(matched.rest)
  const recognised = await admit(admission, {
    endpoint: route.endpoint,
    method: 'GET',
    header: headerReader(request),
    path,
    queryToken: queryValue(target.query, 'auth'),
    isInline: false,
    client: clientOf(request, isTrusted),
    isSocket: true,
  })
  if (recognised === undefined) throw new AppError('not-signed-in')
  authorise(route.endpoint, recognised.caller, matched.params)
  parseQuery(target.query)
  return { caller: recognised.caller, path, route }
}

function pathOfRest(rest: string) {
  const parsed = parsePath(rest)
  if (parsed === null) throw new AppError('bad-request')
  return parsed.path
}

function refuse(
  { options, isTrusted, logFailure }: SocketDependencies,
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
  if (net.writable) net.end(bareResponse(status, { [errorHeader]: code }), () => net.destroy())
  else net.destroy()
}

/** Counts the open sockets of each user, in total and for each route. */
function createSocketCounter() {
  const counts = new Map<string, number>()

  function count(key: string, step: 1 | -1): void {
    const next = (counts.get(key) ?? 0) + step
    if (next === 0) counts.delete(key)
    else counts.set(key, next)
  }

  return {
    take(userId: number, { endpoint, maxPerUser }: SocketRoute, maxOfAll: number): () => void {
      const [all, own] = [`${userId}`, `${userId} ${endpoint.route}`]
      if ((counts.get(all) ?? 0) >= maxOfAll) throw tooMany()
      if (maxPerUser !== undefined && (counts.get(own) ?? 0) >= maxPerUser) throw tooMany()
      for (const key of [all, own]) count(key, 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        for (const key of [all, own]) count(key, -1)
      }
    },
  }
}

const tooMany = (): AppError => new AppError('too-many-tries', { retryAfterSeconds: 10 })

/** Sends a ping twice in the idle time, and terminates a socket that has sent nothing for the whole idle time. */
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

/** Closes a socket, and terminates it when the peer has not confirmed the closing within 500 ms. */
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
