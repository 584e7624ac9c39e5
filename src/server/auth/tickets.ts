import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { withinTime } from '../concurrency/within-time.ts'
import {
  type TicketRecord,
  type TicketStore,
  isTicketValid,
  ticketLifetimeMs,
  ticketLimits,
} from '../records/tickets.ts'
import { digestOf } from './tokens.ts'
import { isUnableToStore } from './unable-to-store.ts'

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
export type TicketOffice = {
  /**
   * Issues a ticket, which all servers of the state accept. Throws `too-many-tries` when the session, its user or all users
   * together already have as many tickets as the limits allow, which is more than any client needs.
   */
  issue(holder: TicketHolder, target: TicketTarget): Promise<string>
  /**
   * Returns the holder of a ticket. Returns null for an unknown or expired ticket and for a ticket with another target.
   * `once` invalidates the ticket.
   */
  redeem(text: string, target: TicketTarget, use: 'once' | 'repeated'): Promise<TicketHolder | null>
}

type TicketOptions = {
  readonly tickets: TicketStore
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

const secretBytes = 32
const ticketPattern = /^[\w-]{43}$/
/**
 * The time in milliseconds for which a request waits for the records. It usually takes some milliseconds, up to 200 on a busy
 * machine when the thread that writes has to be started, and much longer only while another process keeps the database locked.
 */
const waitMs = 400
/** The time in milliseconds for which a session with too many tickets is refused without asking the records again. */
const refusalMs = 1000
const maxRefusals = 1000
/**
 * The maximum number of writes of tickets that have not ended. While another process keeps the database locked, each of them
 * takes a place in the queue of the writer thread for up to 30 seconds. The queue has 4096 places, which logins need as well.
 */
const maxUnfinishedWrites = { perUser: 20, total: 200 }

const digestOfTarget = ({ kind, path }: TicketTarget): string => digestOf(`${kind}\0${path}`)

/**
 * Creates a ticket office. Its tickets are in the records, with which all servers of the state redeem them. This server also
 * accepts a ticket that is not stored yet, or that cannot be stored because the disk is full or the database is locked.
 * Whenever the use of a ticket is not stored within `waitMs`, each server may accept the ticket once, because downloads go on
 * during a lock.
 */
export function createTickets({ tickets, nowMs, randomBytes }: TicketOptions): TicketOffice {
  const unstored = createUnstoredTickets(nowMs)
  const spent = createSpentTickets(nowMs)
  const refusals = createRefusals(nowMs)
  const limitWrites = createWriteLimit()

  /** Stores a ticket. A ticket that cannot be stored stays in the memory of this server. */
  async function store(ticket: TicketRecord): Promise<void> {
    try {
      await limitWrites(ticket.userId, () => tickets.add(ticket))
    } catch (error) {
      if (isUnableToStore(error)) return
      unstored.remove(ticket.digest)
      if (codeOf(error) === 'too-many-tries') refusals.add(ticket.sessionId)
      throw error
    }
    unstored.remove(ticket.digest)
    if (spent.has(ticket.digest)) await take(ticket)
  }

  const take = ({ digest, userId }: TicketRecord): Promise<boolean> =>
    limitWrites(userId, () => tickets.take(digest))

  /** Invalidates a ticket. Returns false when somebody else has done so before. */
  async function spend(ticket: TicketRecord): Promise<boolean> {
    const { digest, untilMs } = ticket
    if (spent.has(digest)) return false
    spent.add(digest, untilMs)
    if (unstored.find(digest) !== undefined) return true
    try {
      return (await withinTime(take(ticket), waitMs)) !== false
    } catch (error) {
      if (isUnableToStore(error)) return true
      throw error
    }
  }

  return {
    async issue({ userId, sessionId }, target) {
      const text = Buffer.from(randomBytes(secretBytes)).toString('base64url')
      const ticket: TicketRecord = {
        digest: digestOf(text),
        userId,
        sessionId,
        targetDigest: digestOfTarget(target),
        untilMs: nowMs() + ticketLifetimeMs,
      }
      if (refusals.has(sessionId) || !unstored.add(ticket))
        throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
      await withinTime(store(ticket), waitMs)
      return text
    },
    async redeem(text, target, use) {
      if (!ticketPattern.test(text)) return null
      const digest = digestOf(text)
      const ticket = unstored.find(digest) ?? (await tickets.find(digest))
      if (ticket === null || spent.has(digest) || !isTicketValid(ticket, nowMs())) return null
      if (ticket.targetDigest !== digestOfTarget(target)) return null
      if (use === 'once' && !(await spend(ticket))) return null
      return { userId: ticket.userId, sessionId: ticket.sessionId }
    },
  }
}

/** Keeps the tickets that are not in the records, within the same limits. */
function createUnstoredTickets(nowMs: () => number) {
  const kept = new Map<string, TicketRecord>()

  function isFull({ userId, sessionId }: TicketRecord): boolean {
    const ofUser = kept
      .values()
      .filter((ticket) => ticket.userId === userId)
      .toArray()
    const ofSession = ofUser.filter((ticket) => ticket.sessionId === sessionId)
    return (
      kept.size >= ticketLimits.total ||
      ofUser.length >= ticketLimits.perUser ||
      ofSession.length >= ticketLimits.perSession
    )
  }

  return {
    find: (digest: string): TicketRecord | undefined => kept.get(digest),
    remove: (digest: string): void => void kept.delete(digest),
    /** Keeps a ticket, and returns false when there are too many of them. */
    add(ticket: TicketRecord): boolean {
      evictWhile(kept, (known) => !isTicketValid(known, nowMs()))
      if (isFull(ticket)) return false
      kept.set(ticket.digest, ticket)
      return true
    },
  }
}

/** Remembers the tickets that were used at this server, until they expire. */
function createSpentTickets(nowMs: () => number) {
  const untilMsOf = new Map<string, number>()
  return {
    has: (digest: string): boolean => untilMsOf.has(digest),
    add(digest: string, untilMs: number): void {
      evictWhile(untilMsOf, (knownUntilMs) => !isTicketValid({ untilMs: knownUntilMs }, nowMs()))
      if (untilMsOf.size >= ticketLimits.total) evictFirst(untilMsOf)
      untilMsOf.set(digest, untilMs)
    },
  }
}

/** Remembers the sessions that have too many tickets, so that a flood of requests does not become one of transactions. */
function createRefusals(nowMs: () => number) {
  const untilMsOf = new Map<string, number>()
  // A refusal that ends later was made while a clock was ahead.
  const isOver = (untilMs: number): boolean => untilMs <= nowMs() || untilMs > nowMs() + refusalMs
  return {
    has: (sessionId: string): boolean => !isOver(untilMsOf.get(sessionId) ?? 0),
    add(sessionId: string): void {
      evictWhile(untilMsOf, isOver)
      if (untilMsOf.size >= maxRefusals) evictFirst(untilMsOf)
      untilMsOf.set(sessionId, nowMs() + refusalMs)
    },
  }
}

/** Limits the writes that have not ended. A write above the limit is not begun, and fails as one of an overloaded database. */
function createWriteLimit() {
  const unfinished = new Map<number, number>()
  let total = 0

  function change(userId: number, difference: number): void {
    const ofUser = (unfinished.get(userId) ?? 0) + difference
    total += difference
    if (ofUser === 0) unfinished.delete(userId)
    else unfinished.set(userId, ofUser)
  }

  return async <T>(userId: number, write: () => Promise<T>): Promise<T> => {
    const isFull =
      total >= maxUnfinishedWrites.total || (unfinished.get(userId) ?? 0) >= maxUnfinishedWrites.perUser
    if (isFull) throw new AppError('overloaded', { reason: 'too many tickets wait for the database' })
    change(userId, 1)
    try {
      return await write()
    } finally {
      change(userId, -1)
    }
  }
}

/** Removes the oldest values for as long as they meet a condition. */
function evictWhile<Value>(values: Map<string, Value>, isOver: (value: Value) => boolean): void {
  for (const [key, value] of values) {
    if (!isOver(value)) return
    values.delete(key)
  }
}

const evictFirst = (values: Map<string, unknown>): void => {
  for (const key of values.keys()) {
    values.delete(key)
    return
  }
}
