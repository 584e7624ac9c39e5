import { createSerialQueue } from '../concurrency/serial-queue.ts'
import { codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import type { AuditEvent, AuditStore } from '../records/audit-store.ts'
import { createEventQueue, type EventQueue, type WaitingEvent } from './event-queue.ts'

/** An event that has just happened. */
export type NewAuditEvent = Omit<AuditEvent, 'atMs'>

export type EventWriterDependencies = {
  readonly store: Pick<AuditStore, 'add'>
  /** Returns the number of days for which events are stored; 0 when none are stored. */
  readonly keptDays: () => Promise<number>
  /** Writes one event to the log for collectors; null without such a log. */
  readonly writeLine: ((event: AuditEvent) => void) | null
  readonly nowMs: () => number
  readonly onFault: (error: unknown) => void
}

/** Collects events, and stores them in batches. */
export type EventWriter = {
  readonly write: (event: AuditEvent) => void
  /** Counts an event that is not stored, for the user who caused it when that user is known. */
  readonly countDropped: (event?: NewAuditEvent) => void
  /** Stores the waiting events, and the numbers of dropped events at most once a minute unless `isLast` is true. */
  readonly flush: (isLast: boolean) => Promise<void>
}

/** The number of events in one transaction, which other changes of the database wait for some milliseconds for. */
const batchSize = 500
const reportIntervalMs = 60_000
/**
 * The time for which events wait while the database refuses them, except essential ones: 30 minutes. Searches rely on events
 * that are stored at most an hour late.
 */
const maxWaitMs = 30 * 60_000
/** The number of events that the database may refuse one by one until the rest waits for the next attempt. */
const refusalsPerFlush = 3

/** The number of users whose dropped events are counted separately until the next report. */
const countedUsers = 1000

/** Creates a writer. Events wait while the database refuses them, and are dropped when too many wait. */
export function createEventWriter(dependencies: EventWriterDependencies): EventWriter {
  const { nowMs, onFault, writeLine } = dependencies
  const queue = createEventQueue()
  let dropped = 0
  const droppedOfUsers = new Map<number, DroppedEvents>()
  let reportedAtMs = Number.NEGATIVE_INFINITY
  const inTurn = createSerialQueue()

  function countDropped(event?: NewAuditEvent): void {
    const known = event?.actor === 'user' ? droppedOfUsers.get(event.userId ?? 0) : undefined
    if (known !== undefined) known.count += 1
    else if (event?.actor === 'user' && event.userId !== null && droppedOfUsers.size < countedUsers)
      droppedOfUsers.set(event.userId, { count: 1, userId: event.userId, username: event.username })
    else dropped += 1
  }

  function reportDropped(isLast: boolean): void {
    const all = [...(dropped === 0 ? [] : [{ count: dropped }]), ...droppedOfUsers.values()]
    if (all.length === 0 || (!isLast && nowMs() - reportedAtMs < reportIntervalMs)) return
    reportedAtMs = nowMs()
    dropped = 0
    droppedOfUsers.clear()
    for (const events of all) {
      const event = droppedEvent(reportedAtMs, events)
      writeLine?.(event)
      dropped += queue.add(event)
    }
  }

  async function storeWaiting(isLast: boolean): Promise<void> {
    dropped += queue.removeOlderThan(nowMs() - maxWaitMs)
    reportDropped(isLast)
    if (queue.next({ maxEvents: 1, order: 'arrival', except: new Set() }).length === 0) return
    try {
      const isKept = (await dependencies.keptDays()) > 0
      await storeAll(queue, isKept ? dependencies : { ...dependencies, store: noStore })
    } catch (error) {
      // The events stay in the queue until the database accepts them again.
      onFault(error)
    }
  }

  return {
    write(event) {
      writeLine?.(event)
      dropped += queue.add(event)
    },
    countDropped,
    flush: (isLast) => inTurn(() => storeWaiting(isLast)),
  }
}

/** The store while no events are kept. */
const noStore: Pick<AuditStore, 'add'> = { add: async () => {} }

/** Failures of the database that say nothing about the event. */
const databaseFailures: ReadonlySet<ErrorCode> = new Set(['busy', 'unavailable', 'no-space', 'corrupt'])

/**
 * Stores the events of a queue in batches. When a batch is refused, smaller batches follow, the most important events first,
 * until the refused event is known. It waits when the database fails, so that small events can be stored while large ones
 * cannot, and is replaced by an event that counts it when the database works otherwise. Throws the failure of the database when
 * events have to wait.
 */
async function storeAll(
  queue: EventQueue,
  { store, nowMs, onFault }: EventWriterDependencies,
): Promise<void> {
  const refused = new Set<WaitingEvent>()
  let failure: unknown
  let maxEvents = batchSize
  while (refused.size < refusalsPerFlush) {
    const order = failure === undefined ? 'arrival' : 'rank'
    const batch = queue.next({ maxEvents, order, except: refused })
    const [first] = batch
    if (first === undefined) break
    try {
      await store.add(batch.map(({ event }) => event))
      queue.remove(batch)
      maxEvents = Math.min(batchSize, 2 * maxEvents)
    } catch (error) {
      failure = error
      maxEvents = Math.ceil(batch.length / 2)
      if (batch.length > 1) continue
      if (databaseFailures.has(codeOf(error))) {
        refused.add(first)
        continue
      }
      // This event shows whether the database refuses this event or every event.
      await store.add([droppedEvent(nowMs(), { count: 1 })])
      queue.remove(batch)
      onFault(error)
    }
  }
  if (refused.size > 0) throw failure
}

/** The number of events that were not stored, and the user who caused all of them. */
type DroppedEvents = { count: number; readonly userId?: number; readonly username?: string }

const droppedEvent = (
  atMs: number,
  {
    count,
    userId = null,
    username = '',
  }: Omit<DroppedEvents, 'userId'> & { readonly userId?: number | null },
): AuditEvent => ({
  atMs,
  action: 'events-dropped',
  outcome: 'ok',
  actor: 'server',
  userId,
  username,
  session: '',
  address: '',
  target: '',
  destination: '',
  details: { count },
})
