import type { Duplex } from 'node:stream'
import type { Listener } from '../node-server.ts'

export type OneByOne = {
  readonly listener: Listener
  /** Whether requests of a connection wait for their turn. */
  readonly isWaiting: (socket: Duplex) => boolean
}

/**
 * Has the requests of one connection handled one after the other, as HTTP/1.1 allows them to be sent ahead of the answers (RFC 9112 9.3.2):
 * the next begins in the turn of the event loop after the one before has been answered, so that nobody fills a turn. A connection that
 * sends more ahead than `mostAhead` is closed; whoever does so has to be ready to ask again.
 */
export function oneByOne(listener: Listener, mostAhead: number): OneByOne {
  const ahead = new WeakMap<Duplex, number>()

  const isWaiting = (socket: Duplex): boolean => (ahead.get(socket) ?? 0) > 0

  const inTurn: Listener = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (response.socket !== null) {
      listener(request, response)
      return
    }
    const count = (ahead.get(socket) ?? 0) + 1
    if (count > mostAhead) {
      socket.destroy()
      return
    }
    ahead.set(socket, count)
    // An answer gets the connection when those before it have left.
    response.once('socket', () =>
      setImmediate(() => {
        ahead.set(socket, (ahead.get(socket) ?? 1) - 1)
        if (!socket.destroyed) listener(request, response)
      }),
    )
  }

  return { listener: inTurn, isWaiting }
}
