import { AppError } from '../../shared/domain/failure.ts'
import { createIdleThreadReaper } from './idle-threads.ts'
import { createShortJobPlacement } from './short-job-placement.ts'
import { selectThread, shouldStay, type PoolThreadSet } from './select-thread.ts'
import type { JobHandle } from './job-stream.ts'
import { abortJob, failAllJobs, moveJob, postToThread, assignJob, startThread } from './worker-thread.ts'
import type { WorkerJob, PendingJob, PoolThread, ThreadStartOptions } from './worker-thread.ts'
import { createWatchdog, isSlow, checkThread, type HangLimits } from './hang-detection.ts'

export type JobSchedulerOptions = ThreadStartOptions & {
  readonly size: number
  readonly hangLimits: HangLimits | undefined
  /** Interval in milliseconds at which idle threads are ended; 15 s by default. */
  readonly idleCheckMs?: number | undefined
}

/** Distributes the jobs of a pool over its threads. Each job is sent to the thread that will probably run it first. */
export type JobScheduler = {
  start(job: WorkerJob): JobHandle
  /** Rejects all jobs with `unavailable` and terminates the threads. Waits for at most one second. */
  close(): Promise<void>
}

/**
 * Maximum time in milliseconds for which `close` waits for the threads. Without this limit, a thread in a hanging
 * system call would block `close` forever.
 */
const closeTimeoutMs = 1000

export function createScheduler(options: JobSchedulerOptions): JobScheduler {
  const { size, hangLimits } = options
  const threads: PoolThread[] = []
  const threadSet: PoolThreadSet = { threads, size, hangLimits }
  let lastId = 0
  const nextId = (): number => (lastId += 1)
  const watchdog = createWatchdog((hangLimits?.slowMs ?? 0) / 2, (sinceMs) => {
    if (moveJobsOfSlowThreads(threadSet, sinceMs, selectFor)) shortJobs.reset()
    return threads.some(({ pending }) => pending.size > 0)
  })

  function removeThread(thread: PoolThread, error: Error): void {
    const index = threads.indexOf(thread)
    if (index >= 0) threads.splice(index, 1)
    shortJobs.reset()
    failAllJobs(thread, error)
  }

  /** Ends a thread that has no jobs. */
  function endThread(thread: PoolThread): void {
    removeThread(thread, new AppError('unavailable'))
    postToThread(thread, { kind: 'end' })
  }

  function addThread(): PoolThread {
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

  const selectFor = (job: WorkerJob): PoolThread => selectThread(threadSet, job) ?? addThread()

  const idleThreadExcept = (busy: PoolThread): PoolThread | undefined =>
    threads.find((thread) => thread !== busy && thread.pending.size === 0) ??
    (threads.length < size ? addThread() : undefined)

  /** Starts a task that a thread has asked for on an idle thread, if there is one. The watchdog runs already, for the asking thread. */
  function startHelper(busy: PoolThread, task: string, input: unknown): void {
    const thread = idleThreadExcept(busy)
    const job = { task, input, options: {} }
    if (thread !== undefined) assign({ thread, id: nextId(), job }).result.catch(() => {})
  }

  const idleThreads = createIdleThreadReaper({ threads, endThread, intervalMs: options.idleCheckMs })
  const shortJobs = createShortJobPlacement({
    threads,
    selectThread: selectFor,
    idleThreadExcept,
    mayMove: (pending) => hangLimits === undefined || !shouldStay(threadSet, pending),
  })

  return {
    start(job) {
      const thread = job.options.isShort === true ? shortJobs.selectThread(job) : selectFor(job)
      if (hangLimits !== undefined) watchdog.start()
      return assign({ thread, id: nextId(), job })
    },
    async close() {
      watchdog.stop()
      shortJobs.stop()
      idleThreads.stop()
      await stopThreads(threads.splice(0))
    },
  }
}

/**
 * Moves the jobs that slow threads have not started to other threads. A job is not moved when it would not start
 * earlier on another thread. Returns true when at least one thread is slow.
 */
function moveJobsOfSlowThreads(
  threadSet: PoolThreadSet,
  sinceMs: number,
  selectFor: (job: WorkerJob) => PoolThread,
): boolean {
  const slow = updateSlowThreads(threadSet, sinceMs)
  for (const pending of slow.flatMap((thread) => thread.pending.all()))
    if (!pending.isAbandoned && !shouldStay(threadSet, pending))
      moveJob(pending, () => selectFor(pending.job))
  return slow.length > 0
}

async function stopThreads(threads: readonly PoolThread[]): Promise<void> {
  for (const thread of threads) failAllJobs(thread, new AppError('unavailable'))
  const stopped = Promise.all(threads.map(async ({ worker }) => worker.terminate()))
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, closeTimeoutMs)
  await Promise.race([stopped, timeout])
  clearTimeout(timer)
}

/** Checks the heartbeat of every thread. Returns the slow threads. */
function updateSlowThreads({ threads, hangLimits }: PoolThreadSet, sinceMs: number): readonly PoolThread[] {
  if (hangLimits === undefined) return []
  for (const thread of threads) checkThread(thread, sinceMs, hangLimits)
  return threads.filter((thread) => isSlow(thread, hangLimits))
}

type JobAssignment = { readonly thread: PoolThread; readonly id: number; readonly job: WorkerJob }

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
