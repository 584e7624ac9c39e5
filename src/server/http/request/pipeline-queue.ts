import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { plainAddress } from './client-address.ts'
import { bodyBufferBytes, headCharsOf } from './large-head.ts'
import type { RequestListener } from '../node-server.ts'

/** A request listener that queues pipelined requests. */
export type PipelineQueue = {
  readonly listener: RequestListener
  /** True when the queue contains requests of the connection. */
  readonly hasQueuedRequests: (socket: Duplex) => boolean
}

export type PipelineQueueLimits = { readonly maxQueued: number; readonly budget: ByteBudget }

/** Returns the number of bytes that a request may hold before it starts: its head, and the part of its body that is buffered. */
function queuedBytesOf(request: IncomingMessage): number {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers
  const bodyBytes = encoding === undefined ? Math.min(Number(length), bodyBufferBytes) : bodyBufferBytes
  return headCharsOf(request) + bodyBytes
}

/**
 * Creates a listener that handles pipelined requests of one connection in order, one after the other (RFC 9112 9.3.2).
 * Each request starts one turn of the event loop after the previous response was written, so that a single connection
 * cannot block other connections. A connection with more than `maxQueued` queued requests is closed, and so is one whose
 * address has queued more bytes than the budget allows. Its client can send the requests again, which every client that
 * uses pipelining must be able to do.
 */
export function createPipelineQueue(
  listener: RequestListener,
  { maxQueued, budget }: PipelineQueueLimits,
): PipelineQueue {
  /** For each connection, the functions that give back the bytes of its queued requests. */
  const queued = new WeakMap<Duplex, Set<() => void>>()

  const hasQueuedRequests = (socket: Duplex): boolean => (queued.get(socket)?.size ?? 0) > 0

  function queueOf(socket: Duplex): Set<() => void> {
    const known = queued.get(socket)
    if (known !== undefined) return known
    const releases = new Set<() => void>()
    queued.set(socket, releases)
    socket.once('close', () => {
      for (const release of releases) release()
    })
    return releases
  }

  /** Adds a request to the queue of its connection. Returns null when the queue is full. */
  function enter(request: IncomingMessage): (() => void) | null {
    const releases = queueOf(request.socket)
    if (releases.size >= maxQueued) return null
    try {
      const address = plainAddress(request.socket.remoteAddress ?? '')
      const release = budget.take(address, queuedBytesOf(request))
      releases.add(release)
      return () => {
        releases.delete(release)
        release()
      }
    } catch {
      return null
    }
  }

  const queueRequest: RequestListener = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (response.socket !== null) {
      listener(request, response)
      return
    }
    const leave = enter(request)
    if (leave === null) {
      socket.destroy()
      return
    }
    // Node assigns the socket to a response after all earlier responses were written.
    response.once('socket', () =>
      setImmediate(() => {
        leave()
        if (!socket.destroyed) listener(request, response)
      }),
    )
  }

  return { listener: queueRequest, hasQueuedRequests }
}
