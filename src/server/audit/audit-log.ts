import { boundedEvent } from '../records/bounded-event.ts'
import type { AuditStore } from '../records/audit-store.ts'
import { createEventWriter, type EventWriterDependencies, type NewAuditEvent } from './event-writer.ts'
import { createRecordingLimits } from './recording-limits.ts'

export type AuditLogDependencies = EventWriterDependencies & {
  readonly store: Pick<AuditStore, 'add' | 'hasBefore' | 'removeBefore'>
  /** Returns the network to which a client address belongs. */
  readonly networkOf: (address: string) => string
}

/** The audit log, which stores events in the background. */
export type AuditLog = {
  /**
   * Records an event, whose long texts are cut. Events above a limit of `createRecordingLimits` are only counted.
   */
  readonly record: (event: NewAuditEvent) => void
  /**
   * Records an event that has to be described first. It is only counted when too many descriptions are awaited.
   */
  readonly recordDescribed: (describe: () => NewAuditEvent | Promise<NewAuditEvent>) => void
  /** Resolves when all events recorded so far are stored, or could not be stored. */
  readonly flush: () => Promise<void>
  /** Stores the recorded events, and ends the background work. */
  readonly stop: () => Promise<void>
}

const flushIntervalMs = 1000
const pruneIntervalMs = 60_000
const dayMs = 24 * 3_600_000
/**
 * The number of events that are being described concurrently. Each keeps a request and its body of up to a megabyte in memory
 * until the database has responded, which takes less than a millisecond unless it hangs.
 */
export const describedEvents = 1000

/** Creates the audit log, and starts its background work. */
export function createAuditLog(dependencies: AuditLogDependencies): AuditLog {
  const { nowMs, onFault, networkOf } = dependencies
  const writer = createEventWriter(dependencies)
  const mayRecord = createRecordingLimits(networkOf, nowMs)
  const describing = new Set<Promise<void>>()

  function record(event: NewAuditEvent): void {
    if (mayRecord(event)) writer.write(boundedEvent({ ...event, atMs: nowMs() }))
    else writer.countDropped(event)
  }

  function dropFailed(error: unknown): void {
    writer.countDropped()
    onFault(error)
  }

  async function flush(isLast: boolean): Promise<void> {
    await Promise.all(describing)
    await writer.flush(isLast)
  }

  const flushTimer = setInterval(() => void flush(false), flushIntervalMs).unref()
  const stopPruning = startPruning(dependencies)
  return {
    record,
    recordDescribed(describe) {
      if (describing.size >= describedEvents) return writer.countDropped()
      try {
        const event = describe()
        // Reads of files are frequent and described at once, and a promise for each of them would double their processor time.
        if (!(event instanceof Promise)) return record(event)
        const done = event
          .then(record)
          .catch(dropFailed)
          .finally(() => describing.delete(done))
        describing.add(done)
      } catch (error) {
        dropFailed(error)
      }
    },
    flush: () => flush(false),
    async stop() {
      clearInterval(flushTimer)
      await stopPruning()
      await flush(true)
    },
  }
}

/**
 * Deletes the events that are too old, now and every minute. It reads first, because a change starts the thread that writes,
 * and usually there is nothing to delete. Returns a function that ends this.
 */
function startPruning({ store, keptDays, nowMs, onFault }: AuditLogDependencies): () => Promise<void> {
  const stopping = new AbortController()
  let pruning: Promise<void> | null = null

  async function prune(): Promise<void> {
    const days = await keptDays()
    // Events of this moment are deleted as well when none are kept.
    const beforeMs = days === 0 ? nowMs() + 1 : nowMs() - days * dayMs
    if (!(await store.hasBefore(beforeMs))) return
    while (!stopping.signal.aborted && (await store.removeBefore(beforeMs)))
      await new Promise((resolve) => setImmediate(resolve))
  }
  const start = (): void => {
    pruning ??= prune()
      .catch(onFault)
      .finally(() => (pruning = null))
  }

  start()
  const timer = setInterval(start, pruneIntervalMs).unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await pruning
  }
}
