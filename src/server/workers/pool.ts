import { AppError } from '../../shared/domain/failure.ts'
import { createThreads } from './crew.ts'
import { streamOf, type Ticket } from './stream.ts'
import type { Job, RunOptions } from './thread.ts'
import type { Patience } from './watch.ts'

/** Worker threads of one kind. They start when they are needed and do not keep a process alive that has nothing else to do. */
export type Pool = {
  /** Runs a task of the entry. An aborted one rejects with `aborted` after it has cleaned up. */
  run<T>(task: string, input: unknown, options?: RunOptions): Promise<T>
  /** Runs a task and gives what it emits, and returns what it does. Ending the iteration early aborts the task. */
  stream<T>(task: string, input: unknown, options?: RunOptions): AsyncGenerator<T, unknown, undefined>
  /** Stops all threads; what runs is rejected. Repeatable. */
  close(): Promise<void>
}

export type PoolOptions = {
  /** An address written out beside `import.meta.url`: the build finds it by that, and gives the entry a file of its own. */
  readonly entry: URL
  readonly size: number
  /** What the entry finds under `threadData()`. */
  readonly data?: unknown
  /** For tasks that may hang in a call of the system: those are given up with `timeout`. Without it they are waited for. */
  readonly patience?: Patience
}

/** Makes a pool; nothing is started yet. */
export function createPool({ entry, size, data, patience }: PoolOptions): Pool {
  const threads = createThreads({ entry, size, data, patience })
  let isClosed = false

  function start(job: Job): Ticket {
    try {
      if (isClosed) throw new AppError('unavailable', { reason: 'The server is stopping.' })
      if (job.options.signal?.aborted === true) throw new AppError('aborted')
      return threads.begin(job)
    } catch (error) {
      job.options.onOver?.(undefined)
      throw error
    }
  }

  return {
    run: <T>(task: string, input: unknown, options: RunOptions = {}) => {
      try {
        return start({ task, input, options }).done as Promise<T>
      } catch (error) {
        return Promise.reject(error)
      }
    },
    stream: <T>(task: string, input: unknown, options: RunOptions = {}) =>
      streamOf<T>((onItem) => start({ task, input, options, onItem })),
    async close() {
      isClosed = true
      await threads.close()
    },
  }
}
