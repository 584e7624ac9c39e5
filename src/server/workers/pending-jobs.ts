import type { PendingJob } from './worker-thread.ts'

/**
 * The jobs of a thread that have not ended, by slot. The jobs are kept in an array instead of a `Map`. Thousands of
 * jobs are added and removed per second, and the hash tables that a `Map` then allocates and discards would keep
 * removed jobs alive (see shared/domain/bag).
 */
export type PendingJobs = {
  readonly size: number
  readonly at: (slot: number) => PendingJob | undefined
  readonly has: (pending: PendingJob) => boolean
  readonly add: (pending: PendingJob) => void
  readonly remove: (pending: PendingJob) => void
  /** Returns the jobs in the order in which they were started. */
  readonly all: () => readonly PendingJob[]
  readonly every: (predicate: (pending: PendingJob) => boolean) => boolean
}

export function createPendingJobs(): PendingJobs {
  const bySlot: (PendingJob | undefined)[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    at: (slot) => bySlot[slot],
    has: (pending) => bySlot[pending.slot] === pending,
    add(pending) {
      bySlot[pending.slot] = pending
      size += 1
    },
    remove(pending) {
      bySlot[pending.slot] = undefined
      size -= 1
    },
    all: () => bySlot.filter((pending) => pending !== undefined).sort((one, other) => one.id - other.id),
    every: (predicate) => bySlot.every((pending) => pending === undefined || predicate(pending)),
  }
}
