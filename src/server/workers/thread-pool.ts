import { AppError } from '../../shared/domain/failure.ts'
import { createScheduler } from './scheduler.ts'
import { streamOf } from './job-stream.ts'
import type { TaskRunOptions } from './worker-thread.ts'
import type { HangLimits } from './hang-detection.ts'
import type { TaskNameOf, TaskSignatures } from './task-signatures.ts'

/**
 * A pool of worker threads that all run the same entry file. Threads start on demand, and idle threads do not keep the
 * process alive. `Tasks` are the tasks of the entry file.
 */
export type ThreadPool<Tasks extends TaskSignatures> = {
  /**
   * Runs a task of the entry file and resolves with its result. When the task is aborted, the call rejects with
   * `aborted` after the task has cleaned up.
   */
  run<Name extends TaskNameOf<Tasks>>(
    task: Name,
    input: Tasks[Name]['input'],
    options?: TaskRunOptions,
  ): Promise<Tasks[Name]['result']>
  /**
   * Runs a task, yields the items that the task emits, and returns its result. Ending the iteration early aborts the
   * task.
   */
  stream<Name extends TaskNameOf<Tasks>>(
    task: Name,
    input: Tasks[Name]['input'],
    options?: TaskRunOptions,
  ): AsyncGenerator<Tasks[Name]['item'], Tasks[Name]['result'], undefined>
  /** Stops all threads. The jobs that have not ended are rejected with `unavailable`. May be called more than once. */
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  /**
   * The thread's entry file. The expression must be a `new URL` of a literal path and `import.meta.url`, because the
   * build recognizes this form and bundles the entry as a separate file.
   */
  readonly entry: URL
  /** Maximum number of threads, not counting threads that replace unresponsive threads (see `HangLimits`). */
  readonly size: number
  /** The value that `threadData()` returns in the threads. */
  readonly data?: unknown
  /**
   * Limits for tasks that may hang in a system call. A task that hangs fails with `timeout`. Without limits, the pool
   * waits forever for such a task.
   */
  readonly hangLimits?: HangLimits
  /** Interval in milliseconds at which idle threads are ended; 15 s by default. */
  readonly idleCheckMs?: number | undefined
}

/** Creates a pool. The first task starts the first thread. `Tasks` must be the tasks of the entry file. */
export function createThreadPool<Tasks extends TaskSignatures>({
  entry,
  size,
  data,
  hangLimits,
  idleCheckMs,
}: ThreadPoolOptions): ThreadPool<Tasks> {
  const scheduler = createScheduler({ entry, size, data, hangLimits, idleCheckMs })
  let isClosed = false

  function checkStart({ signal }: TaskRunOptions): void {
    if (isClosed) throw new AppError('unavailable', { reason: 'The server is stopping.' })
    if (signal?.aborted === true) throw new AppError('aborted')
  }

  return {
    run: (task: string, input: unknown, options: TaskRunOptions = {}) => {
      try {
        checkStart(options)
        return scheduler.start({ task, input, options }).result
      } catch (error) {
        options.onFinished?.(undefined)
        return Promise.reject(error)
      }
    },
    stream: (task, input, options = {}) =>
      streamOf((onItem) => {
        try {
          checkStart(options)
          return scheduler.start({ task, input, options, onItem })
        } catch (error) {
          options.onFinished?.(undefined)
          throw error
        }
      }),
    async close() {
      isClosed = true
      await scheduler.close()
    },
  }
}
