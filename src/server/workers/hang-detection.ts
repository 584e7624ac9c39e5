import { AppError } from '../../shared/domain/failure.ts'
import { jobState } from './messages.ts'
import { abandonJob, postToThread, type PoolThread } from './worker-thread.ts'

/** Limits for threads that have jobs but make no progress, for example because a disk does not respond. */
export type HangLimits = {
  /**
   * Time in milliseconds without progress after which a thread counts as slow. A slow thread gets no new jobs, and the
   * jobs that it has not started move to other threads.
   */
  readonly slowMs: number
  /** Time in milliseconds without progress after which a thread counts as hung, and its jobs fail with `timeout`. */
  readonly deadlineMs: number
  /**
   * Maximum number of slow threads that run tasks on the same resource. When this number is reached, further jobs on
   * the resource wait in the queues of these threads.
   */
  readonly maxSlowPerResource: number
  /** Maximum number of threads in the pool, including threads that do not respond. */
  readonly maxThreads: number
}

export const isSlow = ({ lastHeartbeat, silentMs }: PoolThread, { slowMs }: HangLimits): boolean =>
  lastHeartbeat !== 0 && silentMs >= slowMs

/** Returns true when the thread has started a task whose calls use this resource. */
export const isBusyWith = ({ pending, jobStates }: PoolThread, resource: string): boolean =>
  pending
    .all()
    .some(
      ({ job, slot }) =>
        job.options.resource === resource && Atomics.load(jobStates, slot) !== jobState.waiting,
    )

export const isHung = ({ silentMs }: PoolThread, { deadlineMs }: HangLimits): boolean =>
  silentMs >= deadlineMs

/**
 * Updates the time for which a thread has made no progress. `sinceMs` is the time in milliseconds since the previous
 * check. A thread without progress is sent one ping, and it increases its heartbeat when it receives the ping. The jobs
 * of a hung thread are abandoned, except for jobs without a deadline.
 */
export function checkThread(thread: PoolThread, sinceMs: number, hangLimits: HangLimits): void {
  const heartbeat = Atomics.load(thread.heartbeat, 0)
  if (heartbeat !== thread.lastHeartbeat || thread.pending.size === 0) {
    thread.lastHeartbeat = heartbeat
    thread.silentMs = 0
    thread.isPinged = false
    return
  }
  thread.silentMs += sinceMs
  if (!thread.isPinged) postToThread(thread, { kind: 'ping' })
  thread.isPinged = true
  if (!isHung(thread, hangLimits)) return
  const limited = thread.pending.all().filter(({ job }) => job.options.hasNoDeadline !== true)
  for (const pending of limited)
    abandonJob(pending, new AppError('timeout', { reason: 'the disk does not respond' }))
}

/**
 * Creates a timer that, once started, periodically calls `check` with the time in milliseconds since the previous call.
 * The timer stops when `check` returns false, and it does not keep the process alive.
 */
export function createWatchdog(
  everyMs: number,
  check: (sinceMs: number) => boolean,
): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null
  let lastAtMs = 0
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  const onTimer = (): void => {
    const atMs = performance.now()
    // The time is limited to two intervals, because a longer time means that the whole process was suspended. The
    // threads could then not make progress either.
    const sinceMs = Math.min(atMs - lastAtMs, everyMs * 2)
    lastAtMs = atMs
    if (!check(sinceMs)) stop()
  }
  return {
    start() {
      if (timer !== null) return
      lastAtMs = performance.now()
      timer = setInterval(onTimer, everyMs).unref()
    },
    stop,
  }
}
