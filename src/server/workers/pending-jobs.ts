import type { Pending } from './thread.ts'

/**
 * The jobs that a thread has, by their slots. No `Map`: thousands come and go a second, and the tables that it makes and leaves for
 * that keep alive what was in them (shared/domain/roll).
 */
export type PendingJobs = {
  readonly size: number
  readonly at: (slot: number) => Pending | undefined
  readonly has: (pending: Pending) => boolean
  readonly add: (pending: Pending) => void
  readonly remove: (pending: Pending) => void
  /** The longest there first. */
  readonly all: () => readonly Pending[]
  readonly every: (holds: (pending: Pending) => boolean) => boolean
}

export function createPendingJobs(): PendingJobs {
  const bySlot: (Pending | undefined)[] = []
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
    every: (holds) => bySlot.every((pending) => pending === undefined || holds(pending)),
  }
}
