/** The age in milliseconds at which batches are removed. A server that has read nothing for half of it has missed some. */
export const batchLifetimeMs = 60_000

/** A batch of messages of one server to all others. */
export type OutboxBatch = { readonly server: string; readonly number: number; readonly messages: string }

/** The servers that have been seen lately, and the ids of those that have ended without saying so. */
export type SeenServers = { readonly others: readonly string[]; readonly lost: readonly string[] }

/**
 * The messages between the servers of one state on several machines. Each server numbers its batches without gaps and stores
 * them one after the other, so that a reader notices a missing batch, whatever the order in which transactions commit.
 */
export type Outbox = {
  /** Stores that this server runs, removes what is too old, and returns the other servers. */
  readonly register: (server: string) => Promise<SeenServers>
  /** Removes this server from the list of running servers. */
  readonly unregister: (server: string) => Promise<void>
  /** Returns the number of the last stored batch of each server. */
  readonly lastNumbers: () => Promise<ReadonlyMap<string, number>>
  /** Stores a batch. A batch whose number is stored already is not stored again. */
  readonly add: (batch: OutboxBatch) => Promise<void>
  /** Returns batches of other servers with greater numbers than those given, in order, and not all when there are many. */
  readonly read: (server: string, after: ReadonlyMap<string, number>) => Promise<readonly OutboxBatch[]>
  /** Calls `onNotice` for each notice of a server. The returned function ends the calls. */
  readonly listen: (onNotice: (notice: OutboxNotice) => void) => () => Promise<void>
  /** Sends a notice to all servers that listen, this one included. */
  readonly notify: (notice: OutboxNotice) => Promise<void>
}

/** A notice that there is a new batch, or that a server has started. */
export type OutboxNotice = 'batch' | 'server'
