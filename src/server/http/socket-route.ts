import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { ClientConnection } from './route.ts'

/** The WebSocket of an authorised caller. It only transports text, and is closed when a message exceeds the limits. */
export type ClientSocket = {
  send(text: string): void
  /**
   * Sets the only listener for messages. Messages that arrived before this call are passed to the listener immediately.
   */
  onMessage(listener: (text: string) => void): void
  /**
   * Calls the listener once when either side has closed the socket, or immediately when the socket is closed already.
   */
  onClose(listener: () => void): void
  /**
   * Works like `send`, and resolves when the message has been written to the connection. Also resolves when the socket
   * is closed.
   */
  deliver(text: string): Promise<void>
  /** Closes the socket. The reason is sent to the client and may have at most 123 bytes. */
  close(reason?: string): void
  /**
   * Returns the number of bytes that are buffered for sending. A caller should skip messages or close the socket when
   * this number is large.
   */
  waitingBytes(): number
}

/** A request that opened a socket: the caller, the path and the connected socket. */
export type SocketRequest = {
  readonly caller: Caller
  /** The path that matches `*` in the pattern. For a pattern without `*`, this is the root. */
  readonly path: Path
  readonly client: ClientConnection
  readonly socket: ClientSocket
}

/**
 * A socket endpoint bound to the function that serves its connections. A connection is closed within a second after its
 * session has ended.
 */
export type SocketRoute = {
  readonly endpoint: Endpoint
  readonly connect: (request: SocketRequest) => void
  /**
   * The maximum number of open sockets that one user may have at this endpoint. The limit for all sockets of a user
   * also applies.
   */
  readonly maxPerUser?: number
}
