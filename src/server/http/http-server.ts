import { chmod } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createPacer } from '../turns/pacer.ts'
import type { Gate } from './admit.ts'
import { readStaticFiles, type Foreground } from './answer/static-files.ts'
import type { Doors } from './doors.ts'
import { createFail } from './fail.ts'
import { httpLimits, type HttpLimits, type HttpOptions, type Page, type Where } from './http-options.ts'
import { createNodeServer } from './node-server.ts'
import { openExchanges, type Exchanges } from './open-exchanges.ts'
import { createAddressList } from './request/client-address.ts'
import { createChunkGatherer } from './request/gather-chunks.ts'
import { oneByOne } from './request/one-by-one.ts'
import { failureLine, type LogFailure } from './request-log.ts'
import type { Route } from './route.ts'
import { serveOutside, type OutsideNeeds } from './serve-outside.ts'
import { serveRoute, type Handler, type ServingNeeds } from './serve-route.ts'
import type { SocketRoute } from './socket-route.ts'
import { attachSockets, type Sockets } from './sockets.ts'

export type HttpServerNeeds = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly doors: Doors
  /** The page as it is now; asked for at every request of one. */
  readonly page: () => Page | Promise<Page>
  /** What stands before the files of the build, below `/static`. */
  readonly foreground?: Foreground
  readonly options: HttpOptions
  /** Takes one line at a time, without its end. */
  readonly log: (line: string) => void
  readonly nowMs: () => number
  /** An unguessable id for a request that failed inside. */
  readonly newId: () => string
}

export type HttpServer = {
  /** Starts to listen; gives the address with the real port, or the path of the unix socket. */
  listen(where: Where): Promise<Listening>
  /** Takes no more requests; what runs may finish within the time and is then cut off cleanly. */
  close(options: { readonly graceMs: number }): Promise<void>
}

/** Where it listens; `url` has no slash at its end and is empty for a unix socket. */
export type Listening = { readonly url: string; readonly port: number }

/** The door: from requests to the operations of the routes, and from their answers to the wire. */
export async function createHttpServer(needs: HttpServerNeeds): Promise<HttpServer> {
  const { options, routes, sockets, doors } = needs
  const limits: HttpLimits = { ...httpLimits, ...options.limits }
  const isTrusted = createAddressList(options.trustedProxies)
  const names = [...routes, ...sockets].map(({ endpoint }) => endpoint.route)
  const exchanges = openExchanges({ ...needs, limits, isTrusted, names })
  doors.watchSessions(exchanges.watcher)
  const logFailure = createFailureLog(needs)
  const gate: Gate = { doors, ...options }
  const pace = createPacer()
  const fail = createFail(logFailure)
  const staticFiles = await readStaticFiles(options.staticFolder, needs.foreground)
  const handle = handlerOf({ ...needs, gate, pace, fail, staticFiles })
  const gather = createChunkGatherer()
  const { listener, isWaiting } = oneByOne((request, response) => {
    void handle(exchanges.begin(request, response))
  }, limits.requestsAhead)
  const isAnswering = (socket: Duplex): boolean => isWaiting(socket) || exchanges.isAnswering(socket)
  const server = createNodeServer(
    { limits, isTrusted, tls: options.tls, logFailure, isAnswering },
    (request, response) => {
      if (request.headers['transfer-encoding'] !== undefined) gather(request)
      listener(request, response)
    },
  )
  const open = attachSockets(server, { ...needs, gate, limits, isTrusted, pace, logFailure })
  return {
    listen: (where) => listen(server, where, options.tls !== undefined),
    close: ({ graceMs }) => close(server, { exchanges, sockets: open, graceMs }),
  }
}

type HandlerNeeds = ServingNeeds & OutsideNeeds & Pick<HttpServerNeeds, 'routes' | 'sockets'>

/** What a request leads to was decided on its undecoded text: here it is only looked up. */
function handlerOf({ routes, sockets, ...needs }: HandlerNeeds): Handler {
  const handlers = new Map<RouteName, Handler>(
    [...routes, ...sockets.map(withoutSocket)].map((route) => [
      route.endpoint.route,
      serveRoute(route, needs),
    ]),
  )
  const outside = serveOutside(needs)
  return (exchange) => {
    const { match } = exchange
    const handle = match.kind === 'route' ? handlers.get(match.name) : undefined
    return (handle ?? outside)(exchange)
  }
}

/** What an ordinary request for a socket gets. */
const withoutSocket = ({ endpoint }: SocketRoute): Route => ({
  endpoint,
  operation: async () => {
    throw new AppError('bad-request', { reason: 'a socket is expected' })
  },
})

const createFailureLog =
  ({ log, nowMs, options }: HttpServerNeeds): LogFailure =>
  (failed) =>
    log(failureLine(options.logFormat, { atMs: nowMs(), requestId: '-', ...failed }))

async function listen(server: Server, where: Where, isTls: boolean): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const started = (): void => {
      server.off('error', reject)
      resolve()
    }
    if ('socketPath' in where) server.listen(where.socketPath, started)
    else server.listen({ host: where.host, port: where.port }, started)
  })
  if ('socketPath' in where) {
    if (where.socketMode !== undefined) await chmod(where.socketPath, where.socketMode)
    return { url: '', port: 0 }
  }
  const { port } = server.address() as AddressInfo
  const host = where.host.includes(':') ? `[${where.host}]` : where.host
  return { url: `${isTls ? 'https' : 'http'}://${host}:${port}`, port }
}

type Running = { readonly exchanges: Exchanges; readonly sockets: Sockets; readonly graceMs: number }

/** Idle connections go at once, and again as those at work become idle. */
async function close(server: Server, { exchanges, sockets, graceMs }: Running): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
  sockets.closeAll()
  server.closeIdleConnections()
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => {
    exchanges.cutAll()
    setTimeout(() => server.closeAllConnections(), 500)
  }, graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
