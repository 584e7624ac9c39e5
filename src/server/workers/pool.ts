import { AppError } from '../../shared/domain/failure.ts'
import { streamOf, type Ticket } from './stream.ts'
import {
  abort,
  failAll,
  post,
  put,
  startThread,
  withdraw,
  type Job,
  type Pending,
  type RunOptions,
  type Thread,
} from './thread.ts'
import { createRounds, isSlow, isStuck, lookAt, type Patience } from './watch.ts'

export type { RunOptions } from './thread.ts'

/** Worker threads of one kind. They start when they are needed and do not keep a process alive that has nothing else to do. */
export type Pool = {
  /** Runs a task of the entry. An aborted one rejects with `aborted` after it has cleaned up. */
  run<T>(task: string, input: unknown, options?: RunOptions): Promise<T>
  /** Runs a task and gives what it emits. Ending the iteration early aborts the task. */
  stream<T>(task: string, input: unknown, options?: RunOptions): AsyncGenerator<T, void, undefined>
  /** Stops all threads; what runs is rejected. Repeatable. */
  close(): Promise<void>
}

export type PoolOptions = {
  /** An address written out beside `import.meta.url`: the build finds it by that, and gives the entry a file of its own. */
  readonly entry: URL
  readonly size: number
  /** What the entry finds under `threadData()`. */
  readonly data?: unknown
  /** For tasks that may hang in a call of the system. Without it they are waited for. */
  readonly patience?: Patience
}

/** How long threads may take to stop: one that hangs in a call of the system never does. */
const stopMs = 1000

/** Makes a pool; nothing is started yet. */
export function createPool(options: PoolOptions): Pool {
  const { size, patience } = options
  const threads: Thread[] = []
  let isClosed = false
  let lastId = 0
  const rounds = createRounds((patience?.slowMs ?? 0) / 2, look)

  function drop(thread: Thread, error: Error): void {
    const at = threads.indexOf(thread)
    if (at >= 0) threads.splice(at, 1)
    failAll(thread, error)
  }

  /** There are more than were wished for only while some do not answer. */
  function onIdle(thread: Thread): void {
    if (threads.length <= size || isClosed) return
    drop(thread, new AppError('unavailable'))
    void thread.worker.terminate()
  }

  function add(): Thread {
    const thread = startThread({ entry: options.entry, data: options.data }, { onGone: drop, onIdle, help })
    threads.push(thread)
    return thread
  }

  /** The thread for a new job: an idle one, a new one, or the one with the least to do. */
  function pick(): Thread {
    const good = patience === undefined ? threads : threads.filter((thread) => !isSlow(thread, patience))
    const idlest = good.toSorted((a, b) => a.pending.size - b.pending.size)[0]
    if (idlest !== undefined && (idlest.pending.size === 0 || good.length >= size)) return idlest
    if (threads.length < (patience?.mostThreads ?? size)) return add()
    const waiting = idlest ?? threads.find((thread) => patience !== undefined && !isStuck(thread, patience))
    if (waiting === undefined) throw new AppError('unavailable', { retryAfterSeconds: 5 })
    return waiting
  }

  function help(asking: Thread, task: string, input: unknown): void {
    const idle = threads.find((thread) => thread !== asking && thread.pending.size === 0)
    const helper = idle ?? (threads.length < size ? add() : undefined)
    if (helper !== undefined) begin(helper, { task, input, options: {} }).done.catch(() => {})
  }

  function start(job: Job): Ticket {
    if (isClosed) throw new AppError('unavailable', { reason: 'The server is stopping.' })
    if (job.options.signal?.aborted === true) throw new AppError('aborted')
    return begin(pick(), job)
  }

  function begin(thread: Thread, job: Job): Ticket {
    lastId += 1
    const ticket = ticketOf({ thread, id: lastId, job })
    if (patience !== undefined) rounds.start()
    return ticket
  }

  function look(sinceMs: number): boolean {
    if (patience === undefined || isClosed) return false
    for (const thread of [...threads]) {
      lookAt(thread, sinceMs, patience)
      if (isSlow(thread, patience)) for (const pending of [...thread.pending.values()]) passOn(pending)
    }
    return threads.some(({ pending }) => pending.size > 0)
  }

  /** What a thread that hangs has not begun is done by another, where there is one. */
  function passOn(pending: Pending): void {
    const isRoom = threads.some((thread) => patience !== undefined && !isSlow(thread, patience))
    if (pending.isGivenUp || (!isRoom && threads.length >= (patience?.mostThreads ?? 0))) return
    if (!withdraw(pending)) return
    pending.thread = pick()
    put(pending)
  }

  return {
    async run<T>(task: string, input: unknown, wish: RunOptions = {}): Promise<T> {
      return start({ task, input, options: wish }).done as Promise<T>
    },
    stream: <T>(task: string, input: unknown, wish: RunOptions = {}) =>
      streamOf<T>((onItem) => start({ task, input, options: wish, onItem })),
    async close() {
      isClosed = true
      rounds.stop()
      const closing = [...threads]
      for (const thread of closing) drop(thread, new AppError('unavailable'))
      const stopped = Promise.all(closing.map(async ({ worker }) => worker.terminate()))
      const { promise: isLate, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, stopMs)
      await Promise.race([stopped, isLate])
      clearTimeout(timer)
    },
  }
}

type Beginning = { readonly thread: Thread; readonly id: number; readonly job: Job }

function ticketOf(beginning: Beginning): Ticket {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const pending: Pending = { ...beginning, resolve, reject, slot: 0, isGivenUp: false }
  put(pending)
  const { signal } = beginning.job.options
  const stop = (): void => abort(pending)
  signal?.addEventListener('abort', stop, { once: true })
  const { id } = pending
  return {
    done: promise.finally(() => signal?.removeEventListener('abort', stop)),
    abort: stop,
    more: () => pending.thread.pending.has(id) && post(pending.thread, { kind: 'more', id }),
  }
}
