import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { digestOf } from './tokens.ts'

/**
 * The target of a ticket: the kind of request, which is the first word of the endpoint's name in the singular, and the
 * path.
 */
export type TicketTarget = { readonly kind: string; readonly path: Path }

/** The session for which a ticket was issued. The ticket never grants more access than this session has. */
export type TicketHolder = { readonly userId: number; readonly sessionId: string }

/**
 * Issues and redeems tickets: short-lived texts that authorise requests for one target under a session. They are used
 * in URLs, which other people may see (contract 2.9).
 */
export type TicketStore = {
  /** Issues a ticket. Throws `too-many-tries` when the session already has 1000 tickets, more than any client needs. */
  issue(holder: TicketHolder, target: TicketTarget): string
  /**
   * Returns the holder of a ticket. Returns null for an unknown or expired ticket and for a ticket with another target.
   * `once` invalidates the ticket.
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
 * Creates a ticket store in the memory of this process. A restart loses all tickets, which is acceptable because a
 * ticket is valid for only a minute.
 */
export function createTickets({ nowMs, randomBytes }: TicketOptions): TicketStore {
  const tickets = new Map<string, StoredTicket>()

  /**
   * Removes expired tickets. All tickets have the same lifetime and are in order of issue, so the search ends at the
   * first valid ticket.
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
