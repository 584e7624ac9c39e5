import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createBag, type Bag } from '../../shared/domain/bag.ts'

/** The open connections of a server. */
export type OpenConnections = {
  /** Closes all connections, including those that have not sent a request or, with TLS, whose handshake has not ended. */
  destroyAll(): void
}

/** Keeps track of the connections that a server accepts from now on. */
export function trackConnections(server: Server): OpenConnections {
  const accepted = socketsOf(server, 'connection')
  return {
    destroyAll() {
      for (const socket of accepted.all()) socket.destroy()
    },
  }
}

/** Returns a collection with the open sockets of an event, from now on. */
function socketsOf(server: Server, event: string): Bag<Socket> {
  const sockets = createBag<Socket>()
  server.on(event, (socket: Socket) => {
    socket.once('close', sockets.add(socket))
  })
  return sockets
}
