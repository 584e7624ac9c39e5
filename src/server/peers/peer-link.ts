/** A connection of this server to its peers, which are the other servers of the same state. */
export type PeerLink = {
  /**
   * Sends a message to all peers. It never waits. The message is only created while there are peers, so that a server
   * without any pays nothing.
   */
  readonly send: (createMessage: () => PeerMessage) => void
  /** Sends the messages that wait, and leaves the peers. */
  readonly close: () => Promise<void>
}

/** A message to peers: a value that JSON can represent. A peer may be of another version, so a received one is checked. */
export type PeerMessage = Readonly<Record<string, unknown>>

/** Receives what peers send. */
export type PeerListener = {
  readonly onMessage: (message: unknown) => void
  /** Called when messages of peers may have been lost. */
  readonly onLoss: () => void
}

/** The limits of messages between servers. Beyond them, messages are dropped and the peers are told to count them as lost. */
export type PeerLimits = {
  /** The characters of messages that wait for one peer. */
  readonly waitingCharacters: number
  /** The characters of one message, which are far more than two paths can have. */
  readonly messageCharacters: number
  /** The characters of messages that a server stores in the database in the time for which they are kept. */
  readonly storedCharacters: number
}

export const peerLimits: PeerLimits = {
  waitingCharacters: 1024 * 1024,
  messageCharacters: 256 * 1024,
  storedCharacters: 32 * 1024 * 1024,
}
