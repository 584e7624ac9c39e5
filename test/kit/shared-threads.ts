import type { DatabaseThreads } from '../../src/server/records/database-options.ts'
import { createCheckpointThread } from '../../src/server/records/file/checkpointer.ts'
import { createWriterThread } from '../../src/server/records/file/store-writer.ts'
import { createPasswordThreads, type PasswordThreads } from '../../src/server/auth/passwords.ts'
import type { StorageThreadData } from '../../src/server/storage/posix/thread.ts'
import { createStorageThreads, type StorageThreads } from '../../src/server/storage/posix/storage-threads.ts'
import { AppError } from '../../src/shared/domain/failure.ts'
import type { TaskSignatures } from '../../src/server/workers/task-signatures.ts'
import type { ThreadPool } from '../../src/server/workers/thread-pool.ts'
import type { TaskRunOptions } from '../../src/server/workers/worker-thread.ts'

/** The pools of storage threads that have been started, by their system calls. */
const storagePools = new Map<StorageThreadData['calls'], StorageThreads>()

/** The pool of threads that hash passwords. Null when it has not been created. */
let passwordPool: PasswordThreads | null = null

/** The pools with the threads of databases. Null when they have not been created. */
let databasePools: DatabaseThreads | null = null

/** Returns a pool whose storage threads all servers and volumes of a process share. */
export function sharedStorageThreads(calls: StorageThreadData['calls'] = 'auto'): StorageThreads {
  const pool = storagePools.get(calls) ?? createStorageThreads({ calls })
  storagePools.set(calls, pool)
  return withSharedThreads(pool)
}

/** Returns a pool whose password threads all servers and commands of a process share. */
export function sharedPasswordThreads(): PasswordThreads {
  passwordPool ??= createPasswordThreads()
  return withSharedThreads(passwordPool)
}

/** Returns pools whose threads the databases of all servers of a process share. */
export function sharedDatabaseThreads(): DatabaseThreads {
  databasePools ??= { writes: createWriterThread(), checkpoints: createCheckpointThread() }
  return {
    writes: withSharedThreads(databasePools.writes),
    checkpoints: withSharedThreads(databasePools.checkpoints),
  }
}

/**
 * Returns a pool that runs its tasks in the threads of another pool. Closing it waits for its own tasks, so that none of
 * them uses a folder that the test has removed, and keeps the threads. Starting a thread takes 0.1 s, which is more than
 * most tests need for everything else.
 */
function withSharedThreads<Tasks extends TaskSignatures>(pool: ThreadPool<Tasks>): ThreadPool<Tasks> {
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
    run: async (task, input, options = {}) => pool.run(task, input, tracked(options)),
    stream: (task, input, options = {}) => pool.stream(task, input, tracked(options)),
    async close() {
      isClosed = true
      await Promise.all(ended)
    },
  }
}
