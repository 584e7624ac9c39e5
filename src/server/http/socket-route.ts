import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'

/** A socket of somebody who may have it. Text only; what comes over the limits ends it. */
export type Socket = {
  send(text: string): void
  /** One listener; what came before it was set is kept for it. */
  onMessage(listener: (text: string) => void): void
  /** Called once, whoever ended it; at once if it has ended already. */
  onClose(listener: () => void): void
  /** As `send`; fulfilled when it has left, or the socket is gone. */
  deliver(text: string): Promise<void>
  /** The reason is told to the client: 123 bytes at most. */
  close(reason?: string): void
  /** What was sent and has not left yet; a sender that finds much here should skip or close. */
  waitingBytes(): number
}

export type SocketAsked = {
  readonly caller: Caller
  /** What stands for `*` in the pattern; the root where the pattern has none. */
  readonly path: Path
  readonly socket: Socket
}

/** An endpoint that is a socket, bound to what happens on it. It is ended within a second of the end of its session. */
export type SocketRoute = {
  readonly endpoint: Endpoint
  readonly connect: (asked: SocketAsked) => void
  /** How many of these one user may have, beside those of all kinds together. */
  readonly mostPerUser?: number
}
