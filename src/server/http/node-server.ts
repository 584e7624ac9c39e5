import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket as NetSocket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../shared/domain/failure.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { statusText } from './answer/failures.ts'
import { apiAnswer, textType } from './answer/headers.ts'
import { plainAddress } from './request/client-address.ts'
import type { LogFailure } from './request-log.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

export type NodeServerNeeds = {
  readonly limits: HttpLimits
  readonly tls: HttpOptions['tls']
  readonly isTrusted: (address: string) => boolean
  readonly logFailure: LogFailure
  /** Whether a connection still owes answers: one that has begun and is not handed over whole, or those of requests that wait. */
  readonly isAnswering: (socket: Duplex) => boolean
}

/** A bare server with our limits of heads, times and connections (security design 3.8). */
export function createNodeServer(needs: NodeServerNeeds, listener: Listener): Server {
  const { limits, tls } = needs
  const options = {
    maxHeaderSize: limits.requestHeadBytes,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Bytes may take as long as they come; JSON bodies have their own time.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5000, Math.ceil(limits.headersTimeoutMs / 4)),
    noDelay: true,
    // Answered by us, with our headers.
    requireHostHeader: false,
    highWaterMark: 256 * 1024,
    // A request without a body has ended when its head has; there is no stream of nothing to run dry.
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: (request: IncomingMessage) => isSocketRequest(request),
  }
  const server =
    tls === undefined ? createServer(options, listener) : createTlsServer({ ...options, ...tls }, listener)
  server.maxConnections = limits.connections
  // `100 Continue` is said when the bytes are first asked for; other expectations are none of ours.
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  limitPerPeer(server, needs)
  answerMalformed(server, needs)
  return server
}

const isSocketRequest = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === 'websocket'

/** One peer cannot take all places; a trusted proxy stands for many. */
function limitPerPeer(server: Server, { limits, isTrusted }: NodeServerNeeds): void {
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
      const left = (counts.get(peer) ?? 1) - 1
      if (left === 0) counts.delete(peer)
      else counts.set(peer, left)
    })
  })
}

/** Text that is no request gets our answer and loses its connection; an answer under way is never written into. */
function answerMalformed(server: Server, needs: NodeServerNeeds): void {
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    // What is answered in this turn leaves at its end (`createDeparture`), and first.
    setImmediate(() => refuseMalformed(needs, error, socket))
  })
}

function refuseMalformed(
  { logFailure, isAnswering }: NodeServerNeeds,
  error: ClientError,
  socket: Duplex,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
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
  const answer = bareAnswer(status)
  socket.end(isOfHead(error) ? headOf(answer) : answer)
  // What is still coming is taken for a moment, so that the answer is read before the connection is gone.
  socket.resume()
  setTimeout(() => socket.destroy(), 1000).unref()
}

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/** The parser gives no request for what it refuses; its text tells whether a body may follow. */
const isOfHead = ({ rawPacket }: ClientError): boolean =>
  rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD '

const headOf = (answer: string): string => answer.slice(0, answer.indexOf('\r\n\r\n') + 4)

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** An answer as bytes, where there is no response object to write it with. */
export function bareAnswer(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const text = statusText(status)
  const all = { ...apiAnswer, ...headers, 'content-type': textType, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const phrase = text.trim().slice(4)
  return [`HTTP/1.1 ${status} ${phrase}`, ...lines, `content-length: ${text.length}`, '', text].join('\r\n')
}
