import type { AuditEvent, AuditStore } from '../records/port.ts'

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
  /** Counts an event that is not stored. */
  readonly countDropped: () => void
  /** Stores the waiting events, and the number of dropped events at most once a minute unless `isLast` is true. */
  readonly flush: (isLast: boolean) => Promise<void>
}

/** The number of events that wait to be stored. They take some megabytes of memory. */
export const waitingEvents = 5000
/** The number of events in one transaction, which blocks the main thread for some milliseconds on SQLite. */
const batchSize = 500
const reportIntervalMs = 60_000

/** Creates a writer. Events wait while the database refuses them, and are dropped when too many wait. */
export function createEventWriter(dependencies: EventWriterDependencies): EventWriter {
  const { store, nowMs, onFault, writeLine } = dependencies
  const waiting: AuditEvent[] = []
  let dropped = 0
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let flushing = Promise.resolve()

  function reportDropped(isLast: boolean): void {
    if (dropped === 0 || (!isLast && nowMs() - reportedAtMs < reportIntervalMs)) return
    reportedAtMs = nowMs()
    const event = droppedEvent(reportedAtMs, dropped)
    dropped = 0
    writeLine?.(event)
    waiting.push(event)
  }

  async function storeWaiting(isLast: boolean): Promise<void> {
    reportDropped(isLast)
    if (waiting.length === 0) return
    try {
      const isKept = (await dependencies.keptDays()) > 0
      while (waiting.length > 0) {
        const batch = waiting.slice(0, batchSize)
        if (isKept) await store.add(batch)
        waiting.splice(0, batch.length)
      }
    } catch (error) {
      // The events stay in the list until the database accepts them again.
      onFault(error)
    }
  }

  return {
    write(event) {
      writeLine?.(event)
      if (waiting.length < waitingEvents) waiting.push(event)
      else dropped += 1
    },
    countDropped: () => void (dropped += 1),
    flush(isLast) {
      flushing = flushing.then(() => storeWaiting(isLast))
      return flushing
    },
  }
}

const droppedEvent = (atMs: number, count: number): AuditEvent => ({
  atMs,
  action: 'events-dropped',
  outcome: 'ok',
  actor: 'server',
  userId: null,
  username: '',
  session: '',
  address: '',
  target: '',
  destination: '',
  details: { count },
})
