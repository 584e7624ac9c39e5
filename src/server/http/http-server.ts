import { chmod } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { AppError } from '../../shared/domain/failure.ts'
import { createPacer } from '../turns/pacer.ts'
import type { Gate } from './admit.ts'
import { readStaticFiles, type Foreground } from './answer/static-files.ts'
import type { Doors } from './doors.ts'
import { createFail } from './fail.ts'
import { httpLimits, type HttpLimits, type HttpOptions, type Page, type Where } from './http-options.ts'
import { createNodeServer, type Listener } from './node-server.ts'
import { openExchanges, type Exchanges } from './open-exchanges.ts'
import { createAddressList } from './request/client-address.ts'
import { gatherChunks } from './request/gather-chunks.ts'
import { failureLine, type LogFailure } from './request-log.ts'
import type { Route } from './route.ts'
import { addressOf, serveOutside } from './serve-outside.ts'
import { serveRoute } from './serve-route.ts'
import type { SocketRoute } from './socket-route.ts'
import { attachSockets, type Sockets } from './sockets.ts'

export type HttpServerNeeds = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly doors: Doors
  /** The page as it is now; asked for at every request of one. */
  readonly page: () => Page
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
  const logFailure = createFailureLog(needs)
  const gate: Gate = { doors, ...options }
  const pace = createPacer()

  const app = createApp(exchanges, (listener) =>
    createNodeServer({ limits, isTrusted, tls: options.tls, logFailure }, listener),
  )
  const fail = createFail(logFailure)
  app.setErrorHandler((thrown, request, reply) => fail(exchanges.of(request.raw), reply, thrown))
  for (const route of [...routes, ...sockets.map(withoutSocket)])
    serveRoute(app, route, { ...needs, gate, exchanges, pace, fail })
  const staticFiles = await readStaticFiles(options.staticFolder, needs.foreground)
  serveOutside(app, { ...needs, exchanges, staticFiles })
  const open = attachSockets(app.server, { ...needs, gate, limits, isTrusted, pace, logFailure })
  await app.ready()
  return {
    listen: (where) => listen(app.server, where, options.tls !== undefined),
    close: ({ graceMs }) => close(app, { exchanges, sockets: open, graceMs }),
  }
}

/**
 * The framework sees addresses of ours in place of the client's: what the client's leads to was decided on its undecoded text. Bodies
 * are read by the routes, by their own limits and whatever content type they say.
 */
function createApp(exchanges: Exchanges, createServer: (listener: Listener) => Server): FastifyInstance {
  const app = fastify({
    serverFactory: (listener) =>
      createServer((request, response) => {
        exchanges.begin(request, response)
        if (request.headers['transfer-encoding'] !== undefined) gatherChunks(request)
        request.headers['content-type'] = 'application/octet-stream'
        listener(request, response)
      }),
    rewriteUrl: (request) => addressOf(exchanges.of(request)),
    // Malformed requests are answered beside the limits of the bare server.
    clientErrorHandler: () => undefined,
    exposeHeadRoutes: false,
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
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
async function close(app: FastifyInstance, { exchanges, sockets, graceMs }: Running): Promise<void> {
  const { server } = app
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
  await app.close()
}
