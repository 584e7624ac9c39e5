import { createHash } from 'node:crypto'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'

/** Where a ticket is good. */
export type TicketPlace = { readonly kind: string; readonly path: Path }

/** Whose it is: what it opens is what this session may open. */
export type TicketHolder = { readonly userId: number; readonly sessionId: string }

/** Texts that stand for a session at one place, for addresses that others may come to see (contract 2.9). */
export type Tickets = {
  /** `too-many-tries` when the session holds more than anybody needs. */
  issue(holder: TicketHolder, place: TicketPlace): string
  /** Null for a text that is no ticket, is too old, or is for another place. It is used up unless it is for repeated use. */
  redeem(text: string, place: TicketPlace, use: 'once' | 'repeated'): TicketHolder | null
}

type Ticket = { readonly holder: TicketHolder; readonly place: TicketPlace; readonly untilMs: number }

type TicketNeeds = {
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

const goodMs = 60_000
const secretBytes = 32
const mostPerSession = 1000

/** Tickets of this process; none outlives it, and none lives long enough to be missed. */
export function createTickets({ nowMs, randomBytes }: TicketNeeds): Tickets {
  const tickets = new Map<string, Ticket>()

  /** They all live equally long, so the first that is good ends the search. */
  function forgetOld(): void {
    for (const [digest, { untilMs }] of tickets) {
      if (untilMs > nowMs()) return
      tickets.delete(digest)
    }
  }

  return {
    issue(holder, place) {
      forgetOld()
      const own = [...tickets.values()].filter((ticket) => ticket.holder.sessionId === holder.sessionId)
      if (own.length >= mostPerSession) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
      const text = Buffer.from(randomBytes(secretBytes)).toString('base64url')
      tickets.set(digestOf(text), { holder, place, untilMs: nowMs() + goodMs })
      return text
    },
    redeem(text, place, use) {
      const digest = digestOf(text)
      const ticket = tickets.get(digest)
      if (ticket === undefined || ticket.untilMs <= nowMs()) return null
      if (ticket.place.kind !== place.kind || ticket.place.path !== place.path) return null
      if (use === 'once') tickets.delete(digest)
      return ticket.holder
    },
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
