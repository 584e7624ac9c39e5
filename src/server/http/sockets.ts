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
import { headerReader, headerValues, refuseLongHeaders } from './exchange.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { bareResponse } from './node-server.ts'
import { clientOf } from './request/client-address.ts'
import { hasLargeHead } from './request/large-head.ts'
import { parseQuery, queryValue } from './request/query.ts'
import { readTarget } from './request/request-target.ts'
import { createRouteMatcher } from './request/route-table.ts'
import type { FailureLogger } from './request-log.ts'
import type { ClientConnection } from './route.ts'
import type { ClientSocket, SocketRoute } from './socket-route.ts'

export type SocketDependencies = {
  readonly sockets: readonly SocketRoute[]
  readonly admission: AdmissionDependencies
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly isTrusted: (address: string) => boolean
  readonly pace: RateLimiter
  readonly logFailure: FailureLogger
}

/** The open WebSockets. After `closeAll` no further socket is opened. */
export type OpenSockets = { closeAll(): void }

/**
 * Handles upgrade requests. They are admitted like other requests, count towards the limits of their user, and are
 * passed to their route. Sockets that do not respond to pings are closed.
 */
export function attachSockets(server: Server, dependencies: SocketDependencies): OpenSockets {
  const { limits } = dependencies
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: domainLimits.socketMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const match = createRouteMatcher(dependencies.sockets.map(({ endpoint }) => endpoint.route))
  const socketCounter = createSocketCounter()
  let isClosing = false

  async function upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    refuseLongHeaders(request)
    if (hasLargeHead(request)) await dependencies.pace(clientOf(request, dependencies.isTrusted).address)
    const admitted = await admitUpgrade(request, dependencies, match)
    if (isClosing) throw new AppError('unavailable')
    const release = socketCounter.take(admitted.caller.user.id, admitted.route, limits.socketsPerUser)
    connection.once('close', release)
    if (connection.destroyed) return release()
    wss.handleUpgrade(request, connection, head, (ws) => {
      keepAlive(ws, limits.socketIdleMs)
      limitMessages(ws, limits)
      const stopListening = dependencies.admission.authenticator.onSessionEnd(
        admitted.caller.session.id,
        () => closeSocket(ws, 4401),
      )
      ws.once('close', stopListening)
      const { route, ...socketRequest } = admitted
      route.connect({ ...socketRequest, socket: createClientSocket(ws) })
    })
  }

  server.on('upgrade', (request, connection: Duplex, head) => {
    connection.on('error', () => connection.destroy())
    upgrade(request, connection, head).catch((thrown: unknown) =>
      refuseUpgrade(dependencies, { request, connection, thrown }),
    )
  })
  return {
    closeAll: () => {
      isClosing = true
      wss.clients.forEach((ws) => closeSocket(ws, 1001))
    },
  }
}

type AdmittedUpgrade = {
  readonly caller: Caller
  readonly path: ReturnType<typeof pathOfRest>
  readonly client: ClientConnection
  readonly route: SocketRoute
}

async function admitUpgrade(
  request: IncomingMessage,
  { admission, sockets, options, isTrusted }: SocketDependencies,
  match: ReturnType<typeof createRouteMatcher>,
): Promise<AdmittedUpgrade> {
  const target = readTarget(request.url ?? '', options.basePath)
  const matched = target === null ? null : match(request.method ?? '', target.path)
  const route =
    matched?.kind === 'route'
      ? sockets.find((candidate) => candidate.endpoint.route === matched.name)
      : undefined
  if (target === null || matched?.kind !== 'route' || route === undefined) throw new AppError('not-found')
  const path = pathOfRest(matched.rest)
  const client = clientOf(request, isTrusted)
  const recognised = await admit(admission, {
    endpoint: route.endpoint,
    method: 'GET',
    header: headerReader(request),
    path,
    queryToken: queryValue(target.query, 'auth'),
    isInline: false,
    client,
    isUpgrade: true,
    headerValues: (name) => headerValues(request, name),
  })
  if (recognised === undefined) throw new AppError('not-signed-in')
  authorise(route.endpoint, recognised.caller, matched.params)
  parseQuery(target.query)
  return { caller: recognised.caller, path, client, route }
}

function pathOfRest(rest: string) {
  const parsed = parsePath(rest)
  if (parsed === null) throw new AppError('bad-request')
  return parsed.path
}

function refuseUpgrade(
  { options, isTrusted, logFailure }: SocketDependencies,
  {
    request,
    connection,
    thrown,
  }: { readonly request: IncomingMessage; readonly connection: Duplex; readonly thrown: unknown },
): void {
  const code = codeOf(thrown)
  const status = errorStatus[code]
  const path = readTarget(request.url ?? '', options.basePath)?.path ?? '-'
  logFailure({ path, status, address: clientOf(request, isTrusted).address, thrown })
  if (connection.writable)
    connection.end(bareResponse(status, { [errorHeader]: code }), () => connection.destroy())
  else connection.destroy()
}

/** Counts the open sockets of each user, in total and for each route. */
function createSocketCounter() {
  const counts = new Map<string, number>()

  function changeCount(key: string, change: 1 | -1): void {
    const next = (counts.get(key) ?? 0) + change
    if (next === 0) counts.delete(key)
    else counts.set(key, next)
  }

  return {
    take(userId: number, { endpoint, maxPerUser }: SocketRoute, maxForAllRoutes: number): () => void {
      const [ofUser, ofRoute] = [`${userId}`, `${userId} ${endpoint.route}`]
      if ((counts.get(ofUser) ?? 0) >= maxForAllRoutes) throw tooMany()
      if (maxPerUser !== undefined && (counts.get(ofRoute) ?? 0) >= maxPerUser) throw tooMany()
      for (const key of [ofUser, ofRoute]) changeCount(key, 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        for (const key of [ofUser, ofRoute]) changeCount(key, -1)
      }
    },
  }
}

const tooMany = (): AppError => new AppError('too-many-tries', { retryAfterSeconds: 10 })

/** Sends a ping twice per idle time, and terminates a socket from which nothing has arrived for the whole idle time. */
function keepAlive(ws: WebSocket, idleMs: number): void {
  const deadline = setTimeout(() => ws.terminate(), idleMs)
  const pinger = setInterval(() => ws.ping(), idleMs / 2)
  const onActivity = (): void => void deadline.refresh()
  ws.on('pong', onActivity).on('message', onActivity)
  ws.on('error', () => ws.terminate())
  ws.once('close', () => {
    clearTimeout(deadline)
    clearInterval(pinger)
  })
}

/**
 * Reads only a number of messages and pings in each second, and closes a socket whose client sends without reading, because
 * the server answers each ping. Messages of a connection that the server does not read wait at the client.
 */
function limitMessages(
  ws: WebSocket,
  {
    socketMessagesPerSecond,
    socketUnreadBytes,
  }: Pick<HttpLimits, 'socketMessagesPerSecond' | 'socketUnreadBytes'>,
): void {
  let received = 0
  let endOfSecond: NodeJS.Timeout | undefined
  const startSecond = (): void => {
    endOfSecond = undefined
    received = 0
    ws.resume()
  }
  const onReceived = (): void => {
    received += 1
    endOfSecond ??= setTimeout(startSecond, 1000)
    if (received >= socketMessagesPerSecond) ws.pause()
    if (ws.bufferedAmount > socketUnreadBytes) ws.terminate()
  }
  ws.on('message', onReceived).on('ping', onReceived).on('pong', onReceived)
  ws.once('close', () => clearTimeout(endOfSecond))
}

/** Closes a socket. Terminates its connection when the peer does not confirm the closing within 500 ms. */
function closeSocket(ws: WebSocket, code: number, reason = ''): void {
  ws.close(code, reason)
  setTimeout(() => ws.terminate(), 500).unref()
}

function createClientSocket(ws: WebSocket): ClientSocket {
  const undelivered: string[] = []
  let listener = (text: string): void => void undelivered.push(text)
  ws.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (isBinary) closeSocket(ws, 1003)
    else listener(bytes.toString('utf8'))
  })
  return {
    send: (text) => {
      if (ws.readyState === ws.OPEN) ws.send(text)
    },
    onMessage: (next) => {
      listener = next
      undelivered.splice(0).forEach(next)
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
    close: (reason) => closeSocket(ws, 1000, reason),
    waitingBytes: () => ws.bufferedAmount,
  }
}
