import type { Duplex } from 'node:stream'
import type { RequestListener } from '../node-server.ts'

/** A request listener that queues pipelined requests. */
export type PipelineQueue = {
  readonly listener: RequestListener
  /** True when requests of a connection are queued. */
  readonly isWaiting: (socket: Duplex) => boolean
}

/**
 * Creates a listener that handles pipelined requests of one connection in order, one after the other (RFC 9112 9.3.2).
 * The next request starts one turn of the event loop after the previous response was written, so that a single connection
 * cannot use up a turn. A connection with more than `maxAhead` queued requests is closed, because a client that
 * pipelines must be able to repeat requests.
 */
export function createPipelineQueue(listener: RequestListener, maxAhead: number): PipelineQueue {
  const ahead = new WeakMap<Duplex, number>()

  const isWaiting = (socket: Duplex): boolean => (ahead.get(socket) ?? 0) > 0

  const inTurn: RequestListener = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (response.socket !== null) {
      listener(request, response)
      return
    }
    const count = (ahead.get(socket) ?? 0) + 1
    if (count > maxAhead) {
      socket.destroy()
      return
    }
    ahead.set(socket, count)
    // Node assigns the socket to a response after all earlier responses were written.
    response.once('socket', () =>
      setImmediate(() => {
        ahead.set(socket, (ahead.get(socket) ?? 1) - 1)
        if (!socket.destroyed) listener(request, response)
      }),
    )
  }

  return { listener: inTurn, isWaiting }
}
