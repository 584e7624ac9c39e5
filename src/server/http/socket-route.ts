import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'

/** The WebSocket of an authorised caller. It only transports text, and is closed when a message exceeds the limits. */
export type Socket = {
  send(text: string): void
  /**
   * Sets the listener for messages, of which there is only one. Messages that arrived earlier are delivered to it
   * immediately.
   */
  onMessage(listener: (text: string) => void): void
  /**
   * Calls the listener once when either side has closed the socket, and immediately when the socket is closed already.
   */
  onClose(listener: () => void): void
  /**
   * Sends a text like `send`. Resolves when the text has been written to the connection, or when the socket is closed.
   */
  deliver(text: string): Promise<void>
  /** Closes the socket. The reason is sent to the client and may have at most 123 bytes. */
  close(reason?: string): void
  /**
   * Returns the number of bytes that are buffered for sending. When this number is large, a sender should skip messages
   * or close the socket.
   */
  waitingBytes(): number
}

/** A connected socket, its caller and the path of the request. */
export type SocketRequest = {
  readonly caller: Caller
  /** The path that matches `*` in the pattern. The root where the pattern has no `*`. */
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
  /**
   * The maximum number of open sockets of this endpoint for one user. The limit for all sockets of a user applies in
   * addition.
   */
  readonly maxPerUser?: number
}
