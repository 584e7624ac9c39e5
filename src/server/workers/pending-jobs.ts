/** A job that has a slot of a thread. A job that was created later has a larger id. */
type JobInSlot = { readonly id: number; readonly slot: number }

/**
 * The jobs of a thread that have not ended, by slot. The jobs are kept in an array instead of a `Map`. Thousands of
 * jobs are added and removed per second, and the hash tables that a `Map` then allocates and discards would keep
 * removed jobs alive (see shared/domain/bag).
 */
export type PendingJobs<Job extends JobInSlot> = {
  readonly size: number
  readonly at: (slot: number) => Job | undefined
  readonly has: (pending: Job) => boolean
  readonly add: (pending: Job) => void
  readonly remove: (pending: Job) => void
  /** Returns the jobs in the order in which they were started. */
  readonly all: () => readonly Job[]
  readonly every: (predicate: (pending: Job) => boolean) => boolean
}

export function createPendingJobs<Job extends JobInSlot>(): PendingJobs<Job> {
  const bySlot: (Job | undefined)[] = []
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
