import { AppError } from '../../shared/domain/failure.ts'
import type { PendingJob, PoolThread, WorkerJob } from './worker-thread.ts'
import { isBusyWith, isHung, isSlow, type HangLimits } from './hang-detection.ts'

/** The threads of a pool, and the limits of the pool. */
export type PoolThreadSet = {
  readonly threads: readonly PoolThread[]
  /** Normal maximum number of threads. The pool exceeds this number only while some threads do not respond. */
  readonly size: number
  readonly hangLimits: HangLimits | undefined
}

/**
 * Returns the thread for a job: an idle thread or, when the pool may start no more threads, the thread with the fewest
 * jobs. Returns null when a new thread must be started.
 */
export function selectThread(
  threadSet: PoolThreadSet,
  { options: { resource } }: Pick<WorkerJob, 'options'>,
): PoolThread | null {
  const { threads, size, hangLimits } = threadSet
  const slow = slowThreadsOf(threadSet, resource)
  if (hangLimits !== undefined && slow.length >= hangLimits.maxSlowPerResource)
    return queueBehind(slow, hangLimits)
  const responsive =
    hangLimits === undefined ? threads : threads.filter((thread) => !isSlow(thread, hangLimits))
  const leastBusy = leastBusyOf(responsive)
  if (leastBusy !== undefined && (leastBusy.pending.size === 0 || responsive.length >= size)) return leastBusy
  if (threads.length < (hangLimits?.maxThreads ?? size)) return null
  return leastBusy ?? (hangLimits === undefined ? null : queueBehind(threads, hangLimits))
}

/**
 * Returns true when moving a job away from its slow thread would not let the job start earlier. This is the case when
 * the job's resource already keeps the maximum number of threads busy, or when all threads are slow and the pool has
 * its maximum number of threads.
 */
export function shouldStay(threadSet: PoolThreadSet, { job, thread }: PendingJob): boolean {
  const { threads, hangLimits } = threadSet
  const { resource } = job.options
  if (hangLimits === undefined) return true
  const hasSameResource = resource !== undefined && isBusyWith(thread, resource)
  if (hasSameResource && slowThreadsOf(threadSet, resource).length >= hangLimits.maxSlowPerResource)
    return true
  return threads.length >= hangLimits.maxThreads && threads.every((other) => isSlow(other, hangLimits))
}

/** Returns the threads that are slow and run a task on this resource. */
const slowThreadsOf = (
  { threads, hangLimits }: PoolThreadSet,
  resource: string | undefined,
): readonly PoolThread[] =>
  hangLimits === undefined || resource === undefined
    ? []
    : threads.filter((thread) => isSlow(thread, hangLimits) && isBusyWith(thread, resource))

const leastBusyOf = (threads: readonly PoolThread[]): PoolThread | undefined =>
  threads.toSorted((a, b) => a.pending.size - b.pending.size)[0]

/** Returns the least busy slow thread that is not hung yet. Throws `unavailable` when all slow threads are hung. */
function queueBehind(slow: readonly PoolThread[], hangLimits: HangLimits): PoolThread {
  const leastBusy = leastBusyOf(slow.filter((thread) => !isHung(thread, hangLimits)))
  if (leastBusy === undefined) throw new AppError('unavailable', { retryAfterSeconds: 5 })
  return leastBusy
}
