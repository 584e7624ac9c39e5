import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createByteBudget, type ByteBudget } from '../concurrency/byte-budget.ts'
import { createRateLimiter } from '../concurrency/rate-limiter.ts'
import type { AdmissionDependencies } from './admission.ts'
import { readStaticFiles, type StaticOverrideFinder } from './response/static-files.ts'
import type { Authenticator } from './authenticator.ts'
import { watchCertificate } from './certificate.ts'
import { createFailureResponder } from './failure-responder.ts'
import {
  httpLimits,
  type HttpLimits,
  type HttpOptions,
  type RenderedPage,
  type ListenAddress,
} from './http-options.ts'
import { createNodeServer } from './node-server.ts'
import { trackConnections } from './open-connections.ts'
import { createExchangeTracker, type ExchangeTrackerDependencies } from './exchange-tracker.ts'
import { createAddressList } from './request/client-address.ts'
import { createChunkGatherer } from './request/gather-chunks.ts'
import { createPipelineQueue } from './request/pipeline-queue.ts'
import { requestFailureLine, type FailureLogger } from './request-log.ts'
import type { RefusedCall, Route } from './route.ts'
import { createClientReader } from './client-reader.ts'
import { serveUnrouted, type UnroutedDependencies } from './serve-unrouted.ts'
import { serveRoute, type ExchangeHandler, type ServingDependencies } from './serve-route.ts'
import type { SocketRoute } from './socket-route.ts'
import { attachSockets } from './sockets.ts'
import { stopServer } from './stop-server.ts'
import { listenOnUnixSocket } from './unix-socket.ts'

export type HttpServerDependencies = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly authenticator: Authenticator
  /** Returns the current page. Called for each request of a page. */
  readonly page: () => RenderedPage | Promise<RenderedPage>
  /** Finds files below `/static` that replace files of the client build. */
  readonly staticOverride?: StaticOverrideFinder
  readonly options: HttpOptions
  /** Writes one line to the log. The line is passed without a line break. */
  readonly log: (line: string) => void
  readonly nowMs: () => number
  /**
   * Creates an unguessable id. It identifies a request that failed with an internal error, or separates the parts of a
   * multipart response.
   */
  readonly newId: () => string
  /** Called when a caller lacks the right to call an endpoint. */
  readonly onRefusal?: (call: RefusedCall) => void
  /** Called for each chunk of a body that has arrived or was sent, but not for health checks. */
  readonly onChunk?: ExchangeTrackerDependencies['onChunk']
  /** Called after each request but health checks, when its response was sent or its connection was closed. */
  readonly onRequestEnd?: ExchangeTrackerDependencies['onRequestEnd']
}

export type HttpServer = {
  /** Starts to listen. Returns the URL and the actual port of the server. */
  listen(address: ListenAddress): Promise<ServerAddress>
  /** True while a request is in flight. */
  readonly isBusy: () => boolean
  /** Reads the certificate again when its files have changed. The server also does so by itself, every ten seconds. */
  readonly renewCertificate: () => Promise<void>
  /**
   * Stops accepting connections. Requests of open connections can finish within `graceMs`; after that time the connections
   * are closed.
   */
  close(options: { readonly graceMs: number }): Promise<void>
}

/**
 * The URL and port on which a server listens. `url` has no slash at its end. For a unix socket, `url` is empty and
 * `port` is 0.
 */
export type ServerAddress = { readonly url: string; readonly port: number }

/** Creates the HTTP server, which calls the operation of a request's route and sends its response. */
export async function createHttpServer(dependencies: HttpServerDependencies): Promise<HttpServer> {
  const { options, routes, sockets, authenticator } = dependencies
  const limits: HttpLimits = { ...httpLimits, ...options.limits }
  const isTrusted = createAddressList(options.trustedProxies)
  const routeNames = [...routes, ...sockets].map(({ endpoint }) => endpoint.route)
  const exchanges = createExchangeTracker({
    ...dependencies,
    limits,
    clientOf: createClientReader(isTrusted, dependencies.log),
    hasQueuedRequests: (socket) => hasQueuedRequests(socket),
    routeNames,
  })
  authenticator.watchSessions(exchanges.watcher)
  const logFailure = createFailureLog(dependencies)
  const admission: AdmissionDependencies = { authenticator, ...options }
  const [pace, paceBodies] = [createRateLimiter(), createRateLimiter()]
  const fail = createFailureResponder(logFailure)
  const staticFiles = await readStaticFiles(options.staticFolder, dependencies.staticOverride)
  const largeRequests = largeRequestBudgetOf(limits)
  const handlerOptions = { admission, pace, paceBodies, largeRequests, fail, staticFiles }
  const handle = createHandler({ ...dependencies, ...handlerOptions })
  const gatherChunks = createChunkGatherer()
  const { listener, hasQueuedRequests } = createPipelineQueue((request, response) => {
    void handle(exchanges.begin(request, response))
  }, queueLimitsOf(limits))
  const isResponding = (socket: Duplex): boolean =>
    hasQueuedRequests(socket) || exchanges.isResponding(socket)
  const server = createNodeServer(
    { limits, isTrusted, tls: options.tls, logFailure, isResponding },
    (request, response) => {
      if (request.headers['transfer-encoding'] !== undefined) gatherChunks(request)
      listener(request, response)
    },
  )
  const connections = trackConnections(server)
  const certificate = watchCertificate(server, options.tls)
  const socketOptions = { admission, limits, isTrusted, pace, logFailure }
  const openSockets = attachSockets(server, { ...dependencies, ...socketOptions })
  return {
    listen: (where) => listen(server, where, options.tls !== undefined),
    isBusy: exchanges.isBusy,
    renewCertificate: certificate.renew,
    close({ graceMs }) {
      certificate.stop()
      return stopServer(server, { exchanges, connections, sockets: openSockets, graceMs })
    },
  }
}

/** The requests that may wait for the response to an earlier one on their connection. */
const queueLimitsOf = (limits: HttpLimits) => ({
  maxQueued: limits.requestsAhead,
  budget: createByteBudget({ totalBytes: limits.queuedBytes, bytesPerKey: limits.queuedBytesPerAddress }),
})

/** The large heads and bodies that may be in memory. */
const largeRequestBudgetOf = (limits: HttpLimits): ByteBudget =>
  createByteBudget({
    totalBytes: limits.largeRequestBytes,
    bytesPerKey: limits.largeRequestBytesPerAddress,
  })

type HandlerDependencies = ServingDependencies &
  UnroutedDependencies &
  Pick<HttpServerDependencies, 'routes' | 'sockets'>

/** Creates the handler of all requests. It looks up the handler for the route that the request was matched to. */
function createHandler({ routes, sockets, ...dependencies }: HandlerDependencies): ExchangeHandler {
  const handlers = new Map<RouteName, ExchangeHandler>(
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

/** Creates a route for ordinary requests to the URL of a socket. It responds with `bad-request`. */
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

async function listen(server: Server, address: ListenAddress, isTls: boolean): Promise<ServerAddress> {
  if ('socketPath' in address) {
    await listenOnUnixSocket(server, address)
    return { url: '', port: 0 }
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const started = (): void => {
      server.off('error', reject)
      resolve()
    }
    server.listen({ host: address.host, port: address.port, reusePort: address.isShared === true }, started)
  })
  const { port } = server.address() as AddressInfo
  // An empty address means all addresses of the machine, of which people can open this one.
  const name = address.host === '' ? 'localhost' : address.host
  const host = name.includes(':') ? `[${name}]` : name
  return { url: `${isTls ? 'https' : 'http'}://${host}:${port}`, port }
}
