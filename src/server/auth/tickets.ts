import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { digestOf } from './tokens.ts'

/** The target that a ticket is valid for: the first word of a call's name, and a path. */
export type TicketTarget = { readonly kind: string; readonly path: Path }

/** The session that a ticket stands for. The ticket gives access to no more than this session. */
export type TicketHolder = { readonly userId: number; readonly sessionId: string }

/**
 * Short-lived texts that stand for a session at one target, for addresses that others may come to see (contract 2.9).
 */
export type Tickets = {
  /** Issues a ticket. Throws `too-many-tries` when the session already has 1000 tickets, more than any client needs. */
  issue(holder: TicketHolder, target: TicketTarget): string
  /**
   * Returns the holder of a ticket; null for a text that is no ticket, has expired, or is for another target. `once`
   * invalidates the ticket.
   */
  redeem(text: string, target: TicketTarget, use: 'once' | 'repeated'): TicketHolder | null
}

type StoredTicket = { readonly holder: TicketHolder; readonly target: TicketTarget; readonly untilMs: number }

type TicketOptions = {
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

const ticketLifetimeMs = 60_000
const secretBytes = 32
const maxTicketsPerSession = 1000

/**
 * Creates the store of tickets in this process's memory. A restart loses them, which no client notices: a ticket lives
 * for a minute only.
 */
export function createTickets({ nowMs, randomBytes }: TicketOptions): Tickets {
  const tickets = new Map<string, StoredTicket>()

  /**
   * Removes expired tickets. All tickets have the same lifetime and are in order of issue, so the first valid one ends
   * the search.
   */
  function evictExpired(): void {
    for (const [digest, { untilMs }] of tickets) {
      if (untilMs > nowMs()) return
      tickets.delete(digest)
    }
  }

  return {
    issue(holder, target) {
      evictExpired()
      const own = [...tickets.values()].filter((ticket) => ticket.holder.sessionId === holder.sessionId)
      if (own.length >= maxTicketsPerSession) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
      const text = Buffer.from(randomBytes(secretBytes)).toString('base64url')
      tickets.set(digestOf(text), { holder, target: target, untilMs: nowMs() + ticketLifetimeMs })
      return text
    },
    redeem(text, target, use) {
      const digest = digestOf(text)
      const ticket = tickets.get(digest)
      if (ticket === undefined || ticket.untilMs <= nowMs()) return null
      if (ticket.target.kind !== target.kind || ticket.target.path !== target.path) return null
      if (use === 'once') tickets.delete(digest)
      return ticket.holder
    },
  }
}
