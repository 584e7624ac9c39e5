import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'

/** The socket of an authorised caller. It carries text only, and is closed when a message exceeds the limits. */
export type Socket = {
  send(text: string): void
  /** Sets the one listener for messages. Messages that arrived earlier are delivered to it at once. */
  onMessage(listener: (text: string) => void): void
  /** Calls the listener once when the socket has closed, from either side; at once when it is closed already. */
  onClose(listener: () => void): void
  /** Sends as `send` does. Resolves when the text has left, or the socket is closed. */
  deliver(text: string): Promise<void>
  /** Closes the socket. The client is told the reason, which may have at most 123 bytes. */
  close(reason?: string): void
  /**
   * The bytes that were sent and have not left yet. A sender that finds many of them should skip messages, or close the
   * socket.
   */
  waitingBytes(): number
}

/** A connected socket with its caller. */
export type SocketRequest = {
  readonly caller: Caller
  /** The path that `*` stands for in the pattern; the root where the pattern has none. */
  readonly path: Path
  readonly socket: Socket
}

/**
 * A socket endpoint bound to the function that serves its connections. A connection is closed within a second after its
 * session has ended.
 */
export type SocketRoute = {
  readonly endpoint: Endpoint
  readonly connect: (request: SocketRequest) => void
  /** The number of these sockets that one user may have, besides the limit for all sockets of the user. */
  readonly maxPerUser?: number
}
