import type { Duplex } from 'node:stream'
import type { RequestListener } from '../node-server.ts'

/** A request listener that queues pipelined requests. */
export type PipelineQueue = {
  readonly listener: RequestListener
  /** True when the queue contains requests of the connection. */
  readonly hasQueuedRequests: (socket: Duplex) => boolean
}

/**
 * Creates a listener that handles pipelined requests of one connection in order, one after the other (RFC 9112 9.3.2).
 * Each request starts one turn of the event loop after the previous response was written, so that a single connection
 * cannot block other connections. A connection with more than `maxQueued` queued requests is closed. Its client can
 * send the requests again, which every client that uses pipelining must be able to do.
 */
export function createPipelineQueue(listener: RequestListener, maxQueued: number): PipelineQueue {
  const queued = new WeakMap<Duplex, number>()

  const hasQueuedRequests = (socket: Duplex): boolean => (queued.get(socket) ?? 0) > 0

  const queueRequest: RequestListener = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (response.socket !== null) {
      listener(request, response)
      return
    }
    const count = (queued.get(socket) ?? 0) + 1
    if (count > maxQueued) {
      socket.destroy()
      return
    }
    queued.set(socket, count)
    // Node assigns the socket to a response after all earlier responses were written.
    response.once('socket', () =>
      setImmediate(() => {
        queued.set(socket, (queued.get(socket) ?? 1) - 1)
        if (!socket.destroyed) listener(request, response)
      }),
    )
  }

  return { listener: queueRequest, hasQueuedRequests }
}
