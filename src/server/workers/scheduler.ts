import { AppError } from '../../shared/domain/failure.ts'
import { createIdleThreads } from './idle-threads.ts'
import { createShortJobPlacement } from './short-job-placement.ts'
import { selectThread, shouldStay, type ThreadSet } from './select-thread.ts'
import type { JobHandle } from './job-stream.ts'
import { abortJob, failAllJobs, moveJob, postToThread, assignJob, startThread } from './worker-thread.ts'
import type { WorkerJob, PendingJob, Thread, ThreadOptions } from './worker-thread.ts'
import { createWatchdog, isSlow, checkThread, type HangLimits } from './hang-detection.ts'

export type SchedulerOptions = ThreadOptions & {
  readonly size: number
  readonly hangLimits: HangLimits | undefined
  /** Interval in milliseconds at which idle threads are ended; 15 s by default. */
  readonly idleCheckMs?: number | undefined
}

/** Distributes the jobs of a pool over its threads. Each job is sent to the thread that will probably run it first. */
export type Scheduler = {
  start(job: WorkerJob): JobHandle
  /** Rejects all jobs with `unavailable` and terminates the threads. Waits for at most one second. */
  close(): Promise<void>
}

/** Maximum time in milliseconds that `close` waits for the threads. A thread that hangs in a system call never ends. */
const stopMs = 1000

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { size, hangLimits } = options
  const threads: Thread[] = []
  const threadSet: ThreadSet = { threads, size, hangLimits }
  let lastId = 0
  const watchdog = createWatchdog((hangLimits?.slowMs ?? 0) / 2, (sinceMs) => {
    if (moveJobsOfSlowThreads(threadSet, sinceMs, selectFor)) shortJobs.reset()
    return threads.some(({ pending }) => pending.size > 0)
  })

  function removeThread(thread: Thread, error: Error): void {
    const at = threads.indexOf(thread)
    if (at >= 0) threads.splice(at, 1)
    shortJobs.reset()
    failAllJobs(thread, error)
  }

  /** Ends a thread that has no jobs. */
  function endThread(thread: Thread): void {
    removeThread(thread, new AppError('unavailable'))
    postToThread(thread, { kind: 'end' })
  }

  function addThread(): Thread {
    const thread = startThread(options, {
      onExit: removeThread,
      // The pool has more than `size` threads after it has replaced threads that did not respond.
      onIdle: (idle) => threads.length > size && endThread(idle),
      onHelpRequest: startHelper,
    })
    threads.push(thread)
    idleThreads.start()
    return thread
  }

  const selectFor = (job: WorkerJob): Thread => selectThread(threadSet, job) ?? addThread()

  const idleThreadExcept = (busy: Thread): Thread | undefined =>
    threads.find((thread) => thread !== busy && thread.pending.size === 0) ??
    (threads.length < size ? addThread() : undefined)

  function startHelper(busy: Thread, task: string, input: unknown): void {
    const helper = idleThreadExcept(busy)
    if (helper !== undefined) startOn(helper, { task, input, options: {} }).result.catch(() => {})
  }

  function startOn(thread: Thread, job: WorkerJob): JobHandle {
    lastId += 1
    const handle = assign({ thread, id: lastId, job })
    if (hangLimits !== undefined) watchdog.start()
    return handle
  }

  const idleThreads = createIdleThreads({ threads, endThread, intervalMs: options.idleCheckMs })
  const shortJobs = createShortJobPlacement({
    threads,
    selectThread: selectFor,
    idleThreadExcept,
    mayMove: (pending) => hangLimits === undefined || !shouldStay(threadSet, pending),
  })

  return {
    start: (job) => startOn(job.options.isShort === true ? shortJobs.selectThread(job) : selectFor(job), job),
    async close() {
      watchdog.stop()
      shortJobs.stop()
      idleThreads.stop()
      await stopThreads(threads.splice(0))
    },
  }
}

/**
 * Moves the jobs that slow threads have not started to other threads, unless moving them has no benefit. Returns true
 * when a thread is slow.
 */
function moveJobsOfSlowThreads(
  threadSet: ThreadSet,
  sinceMs: number,
  selectFor: (job: WorkerJob) => Thread,
): boolean {
  const slow = updateSlowThreads(threadSet, sinceMs)
  for (const pending of slow.flatMap((thread) => thread.pending.all()))
    if (!pending.isAbandoned && !shouldStay(threadSet, pending))
      moveJob(pending, () => selectFor(pending.job))
  return slow.length > 0
}

async function stopThreads(threads: readonly Thread[]): Promise<void> {
  for (const thread of threads) failAllJobs(thread, new AppError('unavailable'))
  const stopped = Promise.all(threads.map(async ({ worker }) => worker.terminate()))
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopMs)
  await Promise.race([stopped, isLate])
  clearTimeout(timer)
}

/** Checks the heartbeat of every thread. Returns the slow threads. */
function updateSlowThreads({ threads, hangLimits }: ThreadSet, sinceMs: number): readonly Thread[] {
  if (hangLimits === undefined) return []
  for (const thread of threads) checkThread(thread, sinceMs, hangLimits)
  return threads.filter((thread) => isSlow(thread, hangLimits))
}

type JobAssignment = { readonly thread: Thread; readonly id: number; readonly job: WorkerJob }

function assign(assignment: JobAssignment): JobHandle {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const pending: PendingJob = { ...assignment, resolve, reject, slot: 0, isAbandoned: false }
  assignJob(pending)
  const { signal } = assignment.job.options
  const abort = (): void => abortJob(pending)
  return {
    result: signal === undefined ? promise : abortOnSignal(promise, signal, abort),
    abort,
    requestItem: () =>
      pending.thread.pending.has(pending) &&
      postToThread(pending.thread, { kind: 'more', slot: pending.slot }),
  }
}

function abortOnSignal(result: Promise<unknown>, signal: AbortSignal, abort: () => void): Promise<unknown> {
  signal.addEventListener('abort', abort, { once: true })
  return result.finally(() => signal.removeEventListener('abort', abort))
}
