import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import { createBag, type Bag } from '../../shared/domain/bag.ts'

/** The open connections of a server. */
export type OpenConnections = {
  /**
   * Returns a function that closes the connections that have been idle for `idleMs` milliseconds since its first call: they have
   * no request in flight, and no byte of a request has arrived. It is called again and again, with the sockets of the requests in
   * flight, and takes a connection for idle from the first call that finds it so.
   */
  createSweep(idleMs: number): (busy: ReadonlySet<Duplex>) => void
  /** Closes all connections, including those that have not sent a request or, with TLS, whose handshake has not ended. */
  destroyAll(): void
}

/** Keeps track of the connections that a server accepts from now on. */
export function trackConnections(server: Server): OpenConnections {
  const accepted = socketsOf(server, 'connection')
  // Requests of a TLS connection arrive at a socket of its own, after the handshake.
  const ready = server instanceof TlsServer ? socketsOf(server, 'secureConnection') : accepted

  function createSweep(idleMs: number): (busy: ReadonlySet<Duplex>) => void {
    const idle = new Map<Socket, IdleState>()
    return (busy) => {
      const nowMs = performance.now()
      for (const socket of ready.all()) {
        const { bytesRead } = socket
        const before = idle.get(socket)
        const sinceMs = before?.bytesRead === bytesRead ? before.sinceMs : nowMs
        if (busy.has(socket)) idle.delete(socket)
        else if (nowMs - sinceMs >= idleMs) socket.destroy()
        else idle.set(socket, { sinceMs, bytesRead })
      }
    }
  }

  return {
    createSweep,
    destroyAll() {
      for (const socket of accepted.all()) socket.destroy()
    },
  }
}

/** Since when a connection is idle, and how many bytes had arrived at that time. */
type IdleState = { readonly sinceMs: number; readonly bytesRead: number }

/** Returns a collection with the open sockets of an event, from now on. */
function socketsOf(server: Server, event: string): Bag<Socket> {
  const sockets = createBag<Socket>()
  server.on(event, (socket: Socket) => {
    socket.once('close', sockets.add(socket))
  })
  return sockets
}
