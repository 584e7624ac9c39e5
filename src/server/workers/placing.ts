import { AppError } from '../../shared/domain/failure.ts'
import type { Job, Pending, Thread } from './thread.ts'
import { isBusyOn, isSlow, isStuck, type Patience } from './watch.ts'

export type Crew = {
  readonly threads: readonly Thread[]
  /** How many there are, unless some do not answer. */
  readonly size: number
  readonly patience: Patience | undefined
}

/** The thread for a job: an idle one, or the one with the least to do; null for a new one. */
export function placeFor(crew: Crew, { options: { on } }: Pick<Job, 'options'>): Thread | null {
  const { threads, size, patience } = crew
  const slow = slowOf(crew, on)
  if (patience !== undefined && slow.length >= patience.mostSlowOnOne) return behind(slow, patience)
  const good = patience === undefined ? threads : threads.filter((thread) => !isSlow(thread, patience))
  const idlest = idlestOf(good)
  if (idlest !== undefined && (idlest.pending.size === 0 || good.length >= size)) return idlest
  if (threads.length < (patience?.mostThreads ?? size)) return null
  return idlest ?? (patience === undefined ? null : behind(threads, patience))
}

/** Whether a job is as well off where it is, though its thread is slow. */
export function staysBehind(crew: Crew, { job, thread }: Pending): boolean {
  const { threads, patience } = crew
  const { on } = job.options
  if (patience === undefined) return true
  const isOthers = on !== undefined && isBusyOn(thread, on)
  if (isOthers && slowOf(crew, on).length >= patience.mostSlowOnOne) return true
  return threads.length >= patience.mostThreads && threads.every((other) => isSlow(other, patience))
}

/** The threads that are slow with something. */
const slowOf = ({ threads, patience }: Crew, on: string | undefined): readonly Thread[] =>
  patience === undefined || on === undefined
    ? []
    : threads.filter((thread) => isSlow(thread, patience) && isBusyOn(thread, on))

const idlestOf = (threads: readonly Thread[]): Thread | undefined =>
  threads.toSorted((a, b) => a.pending.size - b.pending.size)[0]

/** To wait behind those that hang, unless they were all given up. */
function behind(slow: readonly Thread[], patience: Patience): Thread {
  const waiting = idlestOf(slow.filter((thread) => !isStuck(thread, patience)))
  if (waiting === undefined) throw new AppError('unavailable', { retryAfterSeconds: 5 })
  return waiting
}
