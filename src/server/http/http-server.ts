import { chmod } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createRateLimiter } from '../concurrency/rate-limiter.ts'
import type { AdmissionDependencies } from './admission.ts'
import { readStaticFiles, type StaticOverride } from './response/static-files.ts'
import type { Authenticator } from './authenticator.ts'
import { createFailureResponder } from './failure-responder.ts'
import {
  httpLimits,
  type HttpLimits,
  type HttpOptions,
  type Page,
  type ListenAddress,
} from './http-options.ts'
import { createNodeServer } from './node-server.ts'
import { createExchangeTracker, type ExchangeTracker } from './exchange-tracker.ts'
import { createAddressList } from './request/client-address.ts'
import { createChunkGatherer } from './request/gather-chunks.ts'
import { createPipelineQueue } from './request/pipeline-queue.ts'
import { requestFailureLine, type FailureLogger } from './request-log.ts'
import type { Route } from './route.ts'
import { serveUnrouted, type UnroutedDependencies } from './serve-unrouted.ts'
import { serveRoute, type Handler, type ServingDependencies } from './serve-route.ts'
import type { SocketRoute } from './socket-route.ts'
import { attachSockets, type OpenSockets } from './sockets.ts'

export type HttpServerDependencies = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly authenticator: Authenticator
  /** Returns the current page. Called for each request for a page. */
  readonly page: () => Page | Promise<Page>
  /** Finds files below `/static` that take precedence over the files of the build. */
  readonly staticOverride?: StaticOverride
  readonly options: HttpOptions
  /** Writes one line to the log. The line is passed without a line break. */
  readonly log: (line: string) => void
  readonly nowMs: () => number
  /**
   * Creates an unguessable id for a request that failed with an internal error, and for the boundaries of multipart
   * answers.
   */
  readonly newId: () => string
  /** Called when a request has ended. */
  readonly onRequestEnd?: () => void
}

export type HttpServer = {
  /** Starts to listen. Returns the address with the actual port. For a unix socket, the URL is empty. */
  listen(where: ListenAddress): Promise<ServerAddress>
  /** True while a request is in flight. */
  readonly isBusy: () => boolean
  /**
   * Stops accepting requests. Requests in flight can finish within `graceMs`; after that time their connections are
   * closed.
   */
  close(options: { readonly graceMs: number }): Promise<void>
}

/** The address on which a server listens. `url` has no slash at its end, and is empty for a unix socket. */
export type ServerAddress = { readonly url: string; readonly port: number }

/** Creates the HTTP server, which calls the operation of a request's route and sends its response. */
export async function createHttpServer(dependencies: HttpServerDependencies): Promise<HttpServer> {
  const { options, routes, sockets, authenticator } = dependencies
  const limits: HttpLimits = { ...httpLimits, ...options.limits }
  const isTrusted = createAddressList(options.trustedProxies)
  const names = [...routes, ...sockets].map(({ endpoint }) => endpoint.route)
  const exchanges = createExchangeTracker({ ...dependencies, limits, isTrusted, names })
  authenticator.watchSessions(exchanges.watcher)
  const logFailure = createFailureLog(dependencies)
  const admission: AdmissionDependencies = { authenticator, ...options }
  const pace = createRateLimiter()
  const fail = createFailureResponder(logFailure)
  const staticFiles = await readStaticFiles(options.staticFolder, dependencies.staticOverride)
  const handle = createHandler({ ...dependencies, admission, pace, fail, staticFiles })
  const gather = createChunkGatherer()
  const { listener, isWaiting } = createPipelineQueue((request, response) => {
    void handle(exchanges.begin(request, response))
  }, limits.requestsAhead)
  const isResponding = (socket: Duplex): boolean => isWaiting(socket) || exchanges.isResponding(socket)
  const server = createNodeServer(
    { limits, isTrusted, tls: options.tls, logFailure, isResponding },
    (request, response) => {
      if (request.headers['transfer-encoding'] !== undefined) gather(request)
      listener(request, response)
    },
  )
  const open = attachSockets(server, { ...dependencies, admission, limits, isTrusted, pace, logFailure })
  return {
    listen: (where) => listen(server, where, options.tls !== undefined),
    isBusy: exchanges.isBusy,
    close: ({ graceMs }) => close(server, { exchanges, sockets: open, graceMs }),
  }
}

type HandlerDependencies = ServingDependencies &
  UnroutedDependencies &
  Pick<HttpServerDependencies, 'routes' | 'sockets'>

/** Creates the handler of all requests. It looks up the handler for the route that the request was matched to. */
function createHandler({ routes, sockets, ...dependencies }: HandlerDependencies): Handler {
  const handlers = new Map<RouteName, Handler>(
    [...routes, ...sockets.map(routeWithoutSocket)].map((route) => [
      route.endpoint.route,
      serveRoute(route, dependencies),
    ]),
  )
  const unrouted = serveUnrouted(dependencies)
  return (exchange) => {
    const { match } = exchange
    const handle = match.kind === 'route' ? handlers.get(match.name) : undefined
    return (handle ?? unrouted)(exchange)
  }
}

/** Creates the route that answers ordinary requests to the address of a socket with `bad-request`. */
const routeWithoutSocket = ({ endpoint }: SocketRoute): Route => ({
  endpoint,
  operation: async () => {
    throw new AppError('bad-request', { reason: 'a socket is expected' })
  },
})

const createFailureLog =
  ({ log, nowMs, options }: HttpServerDependencies): FailureLogger =>
  (failed) =>
    log(requestFailureLine(options.logFormat, { atMs: nowMs(), requestId: '-', ...failed }))

async function listen(server: Server, where: ListenAddress, isTls: boolean): Promise<ServerAddress> {
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

type ShutdownOptions = {
  readonly exchanges: ExchangeTracker
  readonly sockets: OpenSockets
  readonly graceMs: number
}

/**
 * Closes idle connections immediately, and then every 50 ms the connections that have become idle. After `graceMs` the
 * requests in flight are aborted, and 500 ms later all remaining connections are closed.
 */
async function close(server: Server, { exchanges, sockets, graceMs }: ShutdownOptions): Promise<void> {
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
