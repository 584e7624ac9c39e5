import type { StorageThreadData } from '../../src/server/storage/posix/thread.ts'
import { createStorageThreads } from '../../src/server/storage/posix/storage-threads.ts'
import { AppError } from '../../src/shared/domain/failure.ts'
import type { ThreadPool } from '../../src/server/workers/thread-pool.ts'
import type { TaskRunOptions } from '../../src/server/workers/worker-thread.ts'

/** The pools of this test file. Starting a thread takes 0.1 s, which is more than most tests need for everything else. */
const pools = new Map<StorageThreadData['calls'], ThreadPool>()

/**
 * Returns a pool that runs its tasks in storage threads that all servers and volumes of a test file share. Closing it
 * waits for its own tasks, so that none of them uses a folder that the test has removed, and keeps the threads.
 */
export function sharedStorageThreads(calls: StorageThreadData['calls'] = 'auto'): ThreadPool {
  const pool = pools.get(calls) ?? createStorageThreads({ calls })
  pools.set(calls, pool)
  const ended = new Set<Promise<void>>()
  let isClosed = false

  /** Adds a callback to the options of a task that reports its end. Throws when this pool has been closed. */
  function tracked(options: TaskRunOptions): TaskRunOptions {
    if (isClosed) throw new AppError('unavailable', { reason: 'The server is stopping.' })
    const { promise, resolve } = Promise.withResolvers<void>()
    ended.add(promise)
    void promise.then(() => ended.delete(promise))
    return {
      ...options,
      onFinished: (value) => {
        resolve()
        options.onFinished?.(value)
      },
    }
  }

  return {
    run: async <T>(task: string, input: unknown, options: TaskRunOptions = {}) =>
      pool.run<T>(task, input, tracked(options)),
    stream: <T>(task: string, input: unknown, options: TaskRunOptions = {}) =>
      pool.stream<T>(task, input, tracked(options)),
    async close() {
      isClosed = true
      await Promise.all(ended)
    },
  }
}
