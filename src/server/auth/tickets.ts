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
  /**
   * Issues a ticket. Throws `too-many-tries` when the session, its user or all users together already have as many tickets as
   * the limits allow, which is more than any client needs.
   */
  issue(holder: TicketHolder, target: TicketTarget): string
  /**
   * Returns the holder of a ticket. Returns null for an unknown or expired ticket and for a ticket with another target.
   * `once` invalidates the ticket.
   */
  redeem(text: string, target: TicketTarget, use: 'once' | 'repeated'): TicketHolder | null
}

/** An issued ticket. Its target is stored as a digest, because a path may be long. */
type StoredTicket = {
  readonly holder: TicketHolder
  readonly targetDigest: string
  readonly untilMs: number
}

type TicketOptions = {
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

const ticketLifetimeMs = 60_000
const secretBytes = 32
const maxTicketsPerSession = 1000
/** A user may open many sessions, one after the other. */
const maxTicketsPerUser = 2000
/** A ticket takes about 500 bytes. */
const maxTickets = 50_000

const digestOfTarget = ({ kind, path }: TicketTarget): string => digestOf(`${kind}\0${path}`)

/**
 * Creates a ticket store in the memory of this process. A restart loses all tickets, which is acceptable because a
 * ticket is valid for only a minute.
 */
export function createTickets({ nowMs, randomBytes }: TicketOptions): TicketStore {
  const tickets = new Map<string, StoredTicket>()

  /** False also for a ticket that was issued while the clock was ahead. */
  const isValid = ({ untilMs }: StoredTicket): boolean =>
    untilMs > nowMs() && untilMs <= nowMs() + ticketLifetimeMs

  /**
   * Removes expired tickets. All tickets have the same lifetime and are in order of issue, so the search ends at the
   * first valid ticket.
   */
  function evictExpired(): void {
    for (const [digest, ticket] of tickets) {
      if (isValid(ticket)) return
      tickets.delete(digest)
    }
  }

  return {
    issue(holder, target) {
      evictExpired()
      const ofUser = tickets
        .values()
        .filter((ticket) => ticket.holder.userId === holder.userId)
        .toArray()
      const ofSession = ofUser.filter((ticket) => ticket.holder.sessionId === holder.sessionId)
      const isFull =
        tickets.size >= maxTickets ||
        ofUser.length >= maxTicketsPerUser ||
        ofSession.length >= maxTicketsPerSession
      if (isFull) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
      const text = Buffer.from(randomBytes(secretBytes)).toString('base64url')
      tickets.set(digestOf(text), {
        holder,
        targetDigest: digestOfTarget(target),
        untilMs: nowMs() + ticketLifetimeMs,
      })
      return text
    },
    redeem(text, target, use) {
      const digest = digestOf(text)
      const ticket = tickets.get(digest)
      if (ticket === undefined || !isValid(ticket)) return null
      if (ticket.targetDigest !== digestOfTarget(target)) return null
      if (use === 'once') tickets.delete(digest)
      return ticket.holder
    },
  }
}
