import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket as NetSocket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../shared/domain/failure.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { statusText } from './response/failures.ts'
import { apiHeaders, textType } from './response/headers.ts'
import { plainAddress } from './request/client-address.ts'
import { bodyBufferBytes } from './request/large-head.ts'
import type { FailureLogger } from './request-log.ts'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export type NodeServerDependencies = {
  readonly limits: HttpLimits
  readonly tls: HttpOptions['tls']
  readonly isTrusted: (address: string) => boolean
  readonly logFailure: FailureLogger
  /** True while a response to an earlier request of the connection is incomplete or has not started. */
  readonly isResponding: (socket: Duplex) => boolean
}

/** Creates a Node server with limits for request heads, timeouts and connections (security 3.8). */
export function createNodeServer(dependencies: NodeServerDependencies, listener: RequestListener): Server {
  const { limits, tls } = dependencies
  const options = {
    maxHeaderSize: limits.requestHeadBytes,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // There is no timeout for complete requests. An upload may take any time while bytes arrive, and JSON bodies have a
    // separate timeout.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5000, Math.ceil(limits.headersTimeoutMs / 4)),
    noDelay: true,
    // Requests without a Host header are refused by our own code, so that the failure response has all security
    // headers.
    requireHostHeader: false,
    highWaterMark: bodyBufferBytes,
    // With this option, Node creates no body stream for a request without a body.
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: (request: IncomingMessage) => isSocketRequest(request),
  }
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...tls.current(), handshakeTimeout: limits.headersTimeoutMs }, listener)
  server.maxConnections = limits.connections
  // `100 Continue` is sent when the body is first read. Other expectations are ignored.
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  limitPerPeer(server, dependencies)
  keepConnectionsOfProxies(server, dependencies)
  respondToMalformedRequests(server, dependencies)
  return server
}

const isSocketRequest = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === 'websocket'

/**
 * Limits the number of connections from one peer address, so that one client cannot occupy all connections. Trusted
 * proxies are exempt, because they forward the requests of many clients.
 */
function limitPerPeer(server: Server, { limits, isTrusted }: NodeServerDependencies): void {
  const counts = new Map<string, number>()
  server.on('connection', (socket: NetSocket) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (peer === '' || isTrusted(peer)) return
    const count = (counts.get(peer) ?? 0) + 1
    if (count > limits.connectionsPerPeer) {
      socket.destroy()
      return
    }
    counts.set(peer, count)
    socket.once('close', () => {
      const remaining = (counts.get(peer) ?? 1) - 1
      if (remaining === 0) counts.delete(peer)
      else counts.set(peer, remaining)
    })
  })
}

/** Lets an idle connection of a trusted proxy, or of the unix socket, wait longer for its next request. */
function keepConnectionsOfProxies(server: Server, { limits, isTrusted }: NodeServerDependencies): void {
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (peer !== '' && !isTrusted(peer)) return
    response.once('finish', () => {
      const isWaiting = socket.timeout === server.keepAliveTimeout + server.keepAliveTimeoutBuffer
      if (isWaiting) socket.setTimeout(limits.proxyKeepAliveMs)
    })
  })
}

/**
 * Sends a failure response to a client that sent invalid HTTP, and closes its connection. No failure response is
 * written into a response that is being sent.
 */
function respondToMalformedRequests(server: Server, dependencies: NodeServerDependencies): void {
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    // The delayed responses of this turn of the event loop (`createResponseBatcher`) must be written before the failure
    // response.
    setImmediate(() => refuseMalformed(dependencies, error, socket))
  })
}

function refuseMalformed(
  { logFailure, isResponding }: NodeServerDependencies,
  error: ClientError,
  socket: Duplex,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  logFailure({
    path: '-',
    status,
    address: plainAddress((socket as NetSocket).remoteAddress ?? ''),
    thrown: new AppError('bad-request', { reason: error.code ?? 'malformed' }),
  })
  const response = bareResponse(status)
  socket.end(isHeadRequest(error) ? withoutBody(response) : response)
  // The server reads for one more second, so that the client can receive the response before the connection is closed.
  socket.resume()
  setTimeout(() => socket.destroy(), 1000).unref()
}

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/**
 * True when the malformed request began as a HEAD request, whose response must not have a body. Node creates no request
 * object for malformed HTTP, so the received bytes are checked.
 */
const isHeadRequest = ({ rawPacket }: ClientError): boolean =>
  rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD '

const withoutBody = (response: string): string => response.slice(0, response.indexOf('\r\n\r\n') + 4)

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** Formats a complete response as a string, for connections that have no response object. */
export function bareResponse(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const text = statusText(status)
  const all = { ...apiHeaders, ...headers, 'content-type': textType, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const phrase = text.trim().slice(4)
  return [`HTTP/1.1 ${status} ${phrase}`, ...lines, `content-length: ${text.length}`, '', text].join('\r\n')
}
