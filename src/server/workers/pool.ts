import { Worker } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { mostAtOnce } from './messages.ts'
import { errorOf, sentOf } from './sent-failure.ts'

export type RunOptions = {
  readonly signal?: AbortSignal | undefined
  /** Answers the questions of the running task. */
  readonly answer?: (question: never) => unknown
  /** Kept from garbage collection until the task has ended (a descriptor's owner, say). */
  readonly holds?: unknown
}

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
}

type Pending = {
  readonly options: RunOptions
  readonly onItem: ((item: unknown) => void) | undefined
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly slot: number
}

type Thread = {
  readonly worker: Worker
  readonly marks: Int32Array
  readonly freeSlots: number[]
  readonly pending: Map<number, Pending>
}

type Job = {
  readonly task: string
  readonly input: unknown
  readonly options: RunOptions
  readonly onItem?: (item: unknown) => void
}

/** A running job: its outcome, and the two things that can be told to it. */
type Ticket = { readonly done: Promise<unknown>; readonly more: () => void; readonly abort: () => void }

/** Makes a pool; nothing is started yet. */
export function createPool({ entry, size, data }: PoolOptions): Pool {
  const threads: Thread[] = []
  let isClosed = false
  let lastId = 0

  function drop(thread: Thread, error: Error): void {
    const at = threads.indexOf(thread)
    if (at >= 0) threads.splice(at, 1)
    for (const pending of thread.pending.values()) pending.reject(error)
    thread.pending.clear()
  }

  function add(): Thread {
    const thread = startThread(entry, data, { drop, help })
    threads.push(thread)
    return thread
  }

  function pick(): Thread {
    const idlest = threads.toSorted((a, b) => a.pending.size - b.pending.size)[0]
    const isGood = idlest !== undefined && (idlest.pending.size === 0 || threads.length >= size)
    return isGood ? idlest : add()
  }

  function help(asking: Thread, task: string, input: unknown): void {
    const idle = threads.find((thread) => thread !== asking && thread.pending.size === 0)
    const helper = idle ?? (threads.length < size ? add() : undefined)
    if (helper === undefined) return
    lastId += 1
    begin(helper, lastId, { task, input, options: {} }).done.catch(() => {})
  }

  function start(job: Job): Ticket {
    if (isClosed) throw new AppError('unavailable', { reason: 'The server is stopping.' })
    if (job.options.signal?.aborted === true) throw new AppError('aborted')
    const thread = pick()
    lastId += 1
    return begin(thread, lastId, job)
  }

  return {
    async run<T>(task: string, input: unknown, options: RunOptions = {}): Promise<T> {
      return start({ task, input, options }).done as Promise<T>
    },
    stream: <T>(task: string, input: unknown, options: RunOptions = {}) =>
      streamOf<T>((onItem) => start({ task, input, options, onItem })),
    async close() {
      isClosed = true
      const closing = [...threads]
      for (const thread of closing) drop(thread, new AppError('unavailable'))
      await Promise.all(closing.map(async ({ worker }) => worker.terminate()))
    },
  }
}

type Reports = {
  readonly drop: (thread: Thread, error: Error) => void
  readonly help: (thread: Thread, task: string, input: unknown) => void
}

function startThread(entry: URL, data: unknown, { drop, help }: Reports): Thread {
  const marks = new SharedArrayBuffer(mostAtOnce * Int32Array.BYTES_PER_ELEMENT)
  const start: ThreadStart = { marks, data }
  // Descriptors are opened in threads and closed anywhere: a thread must not close them when it ends.
  const worker = new Worker(entry, { workerData: start, trackUnmanagedFds: false, execArgv: [] })
  const freeSlots = Array.from({ length: mostAtOnce }, (_, slot) => slot)
  const thread: Thread = { worker, marks: new Int32Array(marks), freeSlots, pending: new Map() }
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'help') help(thread, message.task, message.input)
    else receive(thread, message)
  })
  worker.on('error', (cause) => drop(thread, new Error('a worker thread failed', { cause })))
  worker.on('exit', (code) => drop(thread, new Error(`a worker thread ended with ${code}`)))
  worker.unref()
  return thread
}

const postTo =
  ({ worker }: Thread) =>
  (message: ToThread): void =>
    worker.postMessage(message, [])

function begin(thread: Thread, id: number, job: Job): Ticket {
  const slot = thread.freeSlots.pop()
  if (slot === undefined) throw new AppError('overloaded', { retryAfterSeconds: 1 })
  const post = postTo(thread)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  Atomics.store(thread.marks, slot, 0)
  if (thread.pending.size === 0) thread.worker.ref()
  thread.pending.set(id, { options: job.options, onItem: job.onItem, resolve, reject, slot })
  const abort = (): void => {
    if (!thread.pending.has(id)) return
    Atomics.store(thread.marks, slot, 1)
    post({ kind: 'abort', id })
  }
  const { signal } = job.options
  signal?.addEventListener('abort', abort, { once: true })
  post({ kind: 'run', id, slot, task: job.task, input: job.input })
  const done = promise.finally(() => signal?.removeEventListener('abort', abort))
  return { done, abort, more: () => thread.pending.has(id) && post({ kind: 'more', id }) }
}

function receive(thread: Thread, message: Exclude<FromThread, { kind: 'help' }>): void {
  const pending = thread.pending.get(message.id)
  if (pending === undefined) return
  if (message.kind === 'item') pending.onItem?.(message.value)
  else if (message.kind === 'question') void answer(thread, message.id, message.value)
  else {
    thread.pending.delete(message.id)
    thread.freeSlots.push(pending.slot)
    if (thread.pending.size === 0) thread.worker.unref()
    if (message.kind === 'done') pending.resolve(message.value)
    else pending.reject(errorOf(message.failure))
  }
}

async function answer(thread: Thread, id: number, question: unknown): Promise<void> {
  const post = postTo(thread)
  try {
    const value = await thread.pending.get(id)?.options.answer?.(question as never)
    post({ kind: 'answer', id, value })
  } catch (error) {
    post({ kind: 'refusal', id, failure: sentOf(error) })
  }
}

const nothing = (): void => {}

/** The items of a job, in order; taking one makes room for the next. */
async function* streamOf<T>(start: (onItem: (item: unknown) => void) => Ticket): AsyncGenerator<T, void> {
  const items: unknown[] = []
  let wake = nothing
  const ticket = start((item) => {
    items.push(item)
    wake()
  })
  let end: { readonly error?: unknown } | null = null
  void ticket.done
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .finally(() => wake())
  const ended = (): { readonly error?: unknown } | null => end
  try {
    for (;;) {
      while (items.length > 0) {
        const item = items.shift() as T
        ticket.more()
        yield item
      }
      const over = ended()
      if (over !== null && 'error' in over) throw over.error
      if (over !== null) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    ticket.abort()
  }
}
