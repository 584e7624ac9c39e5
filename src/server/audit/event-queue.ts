import { auditRankOf, auditRanks, type AuditRank } from '../../shared/domain/audit-actions.ts'
import type { AuditEvent } from '../records/audit-store.ts'

/** The number of events that wait to be stored. */
export const waitingEvents = 5000
/**
 * The bytes of events that wait to be stored, as JSON. It is several times the size of 5,000 usual events, so that only long
 * paths and names reach it. In memory, a text takes up to twice its bytes.
 */
export const waitingBytes = 8 * 1024 * 1024
/** The bytes of events in one transaction, which other changes of the database wait for some milliseconds for. */
const batchBytes = 1024 * 1024

/** An event that waits to be stored. */
export type WaitingEvent = {
  readonly event: AuditEvent
  readonly bytes: number
  /** The position of the event in the order of arrival. */
  readonly arrival: number
}

export type BatchOptions = {
  readonly maxEvents: number
  /** `arrival` returns the oldest events, and `rank` the most important ones first. */
  readonly order: 'arrival' | 'rank'
  /** Events that are left out. */
  readonly except: ReadonlySet<WaitingEvent>
}

/** The events that wait to be stored, bounded in number and in bytes. */
export type EventQueue = {
  /**
   * Adds an event. When the queue is full, the newest of the least important events is removed, which may be the added one.
   * Returns the number of removed events.
   */
  readonly add: (event: AuditEvent) => number
  /** Returns the next events to store. They stay in the queue. */
  readonly next: (options: BatchOptions) => readonly WaitingEvent[]
  readonly remove: (events: readonly WaitingEvent[]) => void
  /** Removes all events but the essential ones from before the given time. Returns their number. */
  readonly removeOlderThan: (atMs: number) => number
}

/** Creates an empty queue. */
export function createEventQueue(): EventQueue {
  const waiting = new Map<AuditRank, WaitingEvent[]>(auditRanks.map((rank) => [rank, []]))
  let count = 0
  let bytes = 0
  let arrivals = 0

  const listOf = (rank: AuditRank): WaitingEvent[] => waiting.get(rank) ?? []

  function keep(rank: AuditRank, isKept: (waiting: WaitingEvent) => boolean): number {
    const list = listOf(rank)
    const kept = list.filter(isKept)
    waiting.set(rank, kept)
    count -= list.length - kept.length
    bytes -= sum(list) - sum(kept)
    return list.length - kept.length
  }

  function removeNewestBelow(rank: AuditRank): boolean {
    const lower = auditRanks.slice(0, auditRanks.indexOf(rank)).find((name) => listOf(name).length > 0)
    const removed = lower === undefined ? undefined : listOf(lower).pop()
    if (removed === undefined) return false
    count -= 1
    bytes -= removed.bytes
    return true
  }

  return {
    add(event) {
      const rank = auditRankOf(event)
      const added = { event, bytes: Buffer.byteLength(JSON.stringify(event)), arrival: arrivals }
      let removed = 0
      while (count >= waitingEvents || bytes + added.bytes > waitingBytes) {
        if (!removeNewestBelow(rank)) return removed + 1
        removed += 1
      }
      arrivals += 1
      count += 1
      bytes += added.bytes
      listOf(rank).push(added)
      return removed
    },
    next({ maxEvents, order, except }) {
      const first = auditRanks
        .toReversed()
        .flatMap((rank) => listOf(rank).slice(0, maxEvents + except.size))
        .filter((event) => !except.has(event))
      if (order === 'arrival') first.sort((a, b) => a.arrival - b.arrival)
      return withinBytes(first.slice(0, maxEvents), batchBytes)
    },
    remove(events) {
      const removed = new Set(events)
      for (const rank of auditRanks) keep(rank, (event) => !removed.has(event))
    },
    removeOlderThan: (atMs) =>
      auditRanks
        .filter((rank) => rank !== 'essential')
        .reduce((removed, rank) => removed + keep(rank, ({ event }) => event.atMs >= atMs), 0),
  }
}

const sum = (events: readonly WaitingEvent[]): number => events.reduce((total, { bytes }) => total + bytes, 0)

/** Returns the first events whose sizes sum up to a number of bytes, and at least one. */
function withinBytes(events: readonly WaitingEvent[], maxBytes: number): readonly WaitingEvent[] {
  let left = maxBytes
  const end = events.findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0)
  return end === -1 ? events : events.slice(0, end)
}
