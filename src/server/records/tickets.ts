import { AppError } from '../../shared/domain/failure.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database } from './sql/tables.ts'

/** A ticket: a text that authorises requests for one target under a session. Its text and its target are stored as digests. */
export type TicketRecord = {
  readonly digest: string
  readonly userId: number
  readonly sessionId: string
  readonly targetDigest: string
  readonly untilMs: number
}

/** The store of tickets. All servers of the state accept each ticket. */
export type TicketStore = {
  /**
   * Stores a ticket. Throws `too-many-tries` when its session, its user or all users together already have as many tickets as
   * the limits allow.
   */
  add(ticket: TicketRecord): Promise<void>
  /** Finds a ticket, which may have expired. */
  find(digest: string): Promise<TicketRecord | null>
  /** Removes a ticket. Of several concurrent calls, only one returns true. */
  take(digest: string): Promise<boolean>
}

/** The lifetime of a ticket in milliseconds. */
export const ticketLifetimeMs = 60_000

/** The time in milliseconds by which the clocks of servers of one state may differ. */
const maxClockDifferenceMs = 30_000

/** True for a ticket that has not expired, and that was not issued while a clock was ahead. */
export const isTicketValid = ({ untilMs }: Pick<TicketRecord, 'untilMs'>, atMs: number): boolean =>
  untilMs > atMs && untilMs <= atMs + ticketLifetimeMs + maxClockDifferenceMs

/** The limits on tickets that have not expired. A user may open many sessions, one after the other. */
export const ticketLimits = { perSession: 1000, perUser: 2000, total: 50_000 }

/** Creates the store of tickets. */
export const createTicketStore = (database: Database, nowMs: () => number): TicketStore => ({
  add: (ticket) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'ticket')
      await removeExpired(transaction, nowMs())
      if (await isFull(transaction, ticket)) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
      await transaction
        .insertInto('ticket')
        .values({
          digest: ticket.digest,
          user_id: ticket.userId,
          session_id: ticket.sessionId,
          target_digest: ticket.targetDigest,
          until: ticket.untilMs,
        })
        .execute()
    }),
  async find(digest) {
    const row = await database
      .selectFrom('ticket')
      .selectAll()
      .where('digest', '=', digest)
      .executeTakeFirst()
    if (row === undefined) return null
    const { user_id: userId, session_id: sessionId, target_digest: targetDigest, until: untilMs } = row
    return { digest, userId, sessionId, targetDigest, untilMs }
  },
  async take(digest) {
    const { numDeletedRows } = await database
      .deleteFrom('ticket')
      .where('digest', '=', digest)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
})

/** Removes the tickets that are not valid. */
const removeExpired = (transaction: Database, atMs: number): Promise<unknown> =>
  transaction
    .deleteFrom('ticket')
    .where((expression) =>
      expression.or([
        expression('until', '<=', atMs),
        expression('until', '>', atMs + ticketLifetimeMs + maxClockDifferenceMs),
      ]),
    )
    .execute()

async function isFull(transaction: Database, { userId, sessionId }: TicketRecord): Promise<boolean> {
  const count = transaction.selectFrom('ticket').select(({ fn }) => fn.countAll().as('count'))
  const ofUser = count.where('user_id', '=', userId)
  const numberOf = async (query: typeof count): Promise<number> =>
    Number((await query.executeTakeFirstOrThrow()).count)
  return (
    (await numberOf(ofUser.where('session_id', '=', sessionId))) >= ticketLimits.perSession ||
    (await numberOf(ofUser)) >= ticketLimits.perUser ||
    (await numberOf(count)) >= ticketLimits.total
  )
}
