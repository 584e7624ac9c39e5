import { isNotStarted, moveJob } from './worker-thread.ts'
import type { WorkerJob, PendingJob, PoolThread } from './worker-thread.ts'

/**
 * Maximum number of jobs in the queue of a thread that collects short jobs. The thread is woken up once for all of
 * them.
 */
const maxShortJobs = 8
/**
 * Time in milliseconds after which short jobs that their thread has not started move to idle threads, because the
 * thread may be waiting for a slow disk. A short job normally takes far less than a millisecond.
 */
const rebalanceAfterMs = 2

export type ShortJobDependencies = {
  readonly threads: readonly PoolThread[]
  /** Returns the thread for a job that cannot join the short jobs that are collected on the current thread. */
  readonly selectThread: (job: WorkerJob) => PoolThread
  /** Returns an idle thread other than the given one, and starts a new one while the pool is below its limit. */
  readonly idleThreadExcept: (busy: PoolThread) => PoolThread | undefined
  /** Returns true when the job may move to another thread. */
  readonly mayMove: (pending: PendingJob) => boolean
}

/** Selects the threads for short jobs. */
export type ShortJobPlacement = {
  readonly selectThread: (job: WorkerJob) => PoolThread
  /** Forgets the thread on which short jobs are collected. The next short job selects a new thread. */
  readonly reset: () => void
  readonly stop: () => void
}

/**
 * Creates the placement of short jobs. Short jobs are sent to the same thread while its queue is short, because waking
 * another thread costs more than waiting for a few short jobs.
 */
export function createShortJobPlacement(dependencies: ShortJobDependencies): ShortJobPlacement {
  let current: { readonly thread: PoolThread; readonly resource: string | undefined } | null = null
  let timer: NodeJS.Timeout | null = null
  const scheduleRebalance = (): NodeJS.Timeout => setTimeout(rebalance, rebalanceAfterMs).unref()

  /** Moves short jobs that have not started to idle threads. */
  function rebalance(): void {
    const waiting = dependencies.threads.flatMap(({ pending }) => pending.all().slice(1)).filter(isWaiting)
    for (const pending of waiting) {
      const idle = dependencies.idleThreadExcept(pending.thread)
      if (idle === undefined) break
      moveJob(pending, () => idle)
    }
    if (waiting.length > 0) current = null
    timer = waiting.length > 0 ? scheduleRebalance() : null
  }

  const isWaiting = (pending: PendingJob): boolean =>
    isShortJob(pending) && !pending.isAbandoned && isNotStarted(pending) && dependencies.mayMove(pending)

  return {
    selectThread(job) {
      const { resource } = job.options
      if (current !== null && current.resource === resource && hasShortQueue(current.thread)) {
        if (current.thread.pending.size > 0) timer ??= scheduleRebalance()
        return current.thread
      }
      const thread = dependencies.selectThread(job)
      current = thread.pending.size === 0 ? { thread, resource } : null
      return thread
    },
    reset: () => (current = null),
    stop: () => timer !== null && clearTimeout(timer),
  }
}

const isShortJob = ({ job }: PendingJob): boolean => job.options.isShort === true

const hasShortQueue = ({ pending }: PoolThread): boolean =>
  pending.size < maxShortJobs && pending.every(isShortJob)
