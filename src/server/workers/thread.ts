import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { mark, mostAtOnce } from './messages.ts'
import { errorOf, sentOf } from './sent-failure.ts'

export type RunOptions = {
  /** What the task's calls may hang on. Of tasks on the same thing only so many hang at once; the others wait for them. */
  readonly on?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Answers the questions of the running task. */
  readonly answer?: (question: never) => unknown
  /** For work of which nobody knows how long it takes: it is never given up. */
  readonly isUnlimited?: boolean | undefined
  /** Kept from garbage collection until the task has ended (a descriptor's owner, say). */
  readonly holds?: unknown
  /** Told once, when no thread works on the task any more, with what it gave: after one that was given up, maybe long after. */
  readonly onOver?: ((value: unknown) => void) | undefined
}

export type Job = {
  readonly task: string
  readonly input: unknown
  readonly options: RunOptions
  readonly onItem?: (item: unknown) => void
}

/** A job that has not ended. `thread` changes when it is run by another than it was meant for. */
export type Pending = {
  readonly id: number
  readonly job: Job
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  thread: Thread
  slot: number
  /** Nobody waits for it any more. */
  isGivenUp: boolean
}

export type Thread = {
  readonly worker: Worker
  readonly marks: Int32Array
  readonly beats: Int32Array
  readonly freeSlots: number[]
  readonly pending: Map<number, Pending>
  /** The beat when it was last looked at, and for how long there has been none since although there was work. */
  lastBeat: number
  quietMs: number
  isPinged: boolean
}

export type Reports = {
  /** It has ended and takes nothing more. */
  readonly onGone: (thread: Thread, error: Error) => void
  /** It has nothing to do. */
  readonly onIdle: (thread: Thread) => void
  readonly help: (thread: Thread, task: string, input: unknown) => void
}

/**
 * V8 compiles what WebAssembly imports from JavaScript once it has been called a thousand times, and keeps it for all threads
 * together; when threads come and go it may free some of it twice ("Check failed: jit_page.has_value()"), which ends the process.
 * Threads compress with WebAssembly, and from source Node strips their types with it: with this it is never compiled. Such a call
 * then takes 20 ns instead of 7.
 */
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647')

export type ThreadWish = { readonly entry: URL; readonly data: unknown }

export function startThread({ entry, data }: ThreadWish, reports: Reports): Thread {
  const marks = new SharedArrayBuffer(mostAtOnce * Int32Array.BYTES_PER_ELEMENT)
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const start: ThreadStart = { marks, beats, data }
  // Descriptors are opened in threads and closed anywhere: a thread must not close them when it ends.
  const worker = new Worker(entry, { workerData: start, trackUnmanagedFds: false, execArgv: [] })
  const thread: Thread = {
    worker,
    marks: new Int32Array(marks),
    beats: new Int32Array(beats),
    freeSlots: Array.from({ length: mostAtOnce }, (_, slot) => slot),
    pending: new Map(),
    lastBeat: 0,
    quietMs: 0,
    isPinged: false,
  }
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'help') reports.help(thread, message.task, message.input)
    else receive(thread, message, reports)
  })
  worker.on('error', (cause) => reports.onGone(thread, new Error('a worker thread failed', { cause })))
  worker.on('exit', (code) => reports.onGone(thread, new Error(`a worker thread ended with ${code}`)))
  worker.unref()
  return thread
}

export const post = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message, [])

/** Hands a job to its thread. */
export function put(pending: Pending): void {
  const { thread, id, job } = pending
  const slot = thread.freeSlots.pop()
  if (slot === undefined) throw new AppError('overloaded', { retryAfterSeconds: 1 })
  pending.slot = slot
  Atomics.store(thread.marks, slot, mark.waiting)
  if (thread.pending.size === 0) thread.worker.ref()
  thread.pending.set(id, pending)
  post(thread, { kind: 'run', id, slot, task: job.task, input: job.input })
}

/** Takes a job back that its thread has not begun; false when it has. */
export function withdraw(pending: Pending): boolean {
  const { thread, id, slot } = pending
  const found = Atomics.compareExchange(thread.marks, slot, mark.waiting, mark.withdrawn)
  if (found !== mark.waiting) return false
  thread.pending.delete(id)
  if (thread.pending.size === 0) thread.worker.unref()
  return true
}

export function abort({ thread, id, slot }: Pending): void {
  if (!thread.pending.has(id)) return
  Atomics.store(thread.marks, slot, mark.aborted)
  post(thread, { kind: 'abort', id })
}

/** Answers for a job that its thread does not answer. The thread still has it, and cleans up should it come back. */
export function giveUp(pending: Pending, error: Error): void {
  if (pending.isGivenUp) return
  pending.isGivenUp = true
  pending.reject(error)
  abort(pending)
}

/** Fails everything that a thread had which has ended. */
export function failAll(thread: Thread, error: Error): void {
  for (const pending of thread.pending.values()) {
    pending.reject(error)
    pending.job.options.onOver?.(undefined)
  }
  thread.pending.clear()
}

function receive(thread: Thread, message: Exclude<FromThread, { kind: 'help' }>, { onIdle }: Reports): void {
  if (message.kind === 'skipped') {
    thread.freeSlots.push(message.slot)
    return
  }
  const pending = thread.pending.get(message.id)
  if (pending === undefined) return
  if (message.kind === 'item') pending.job.onItem?.(message.value)
  else if (message.kind === 'question') void answer(pending, message.value)
  else {
    thread.pending.delete(message.id)
    thread.freeSlots.push(pending.slot)
    if (thread.pending.size === 0) thread.worker.unref()
    end(pending, message)
    if (thread.pending.size === 0) onIdle(thread)
  }
}

function end({ job, resolve, reject }: Pending, message: FromThread & { kind: 'done' | 'failed' }): void {
  if (message.kind === 'done') resolve(message.value)
  else reject(errorOf(message.failure))
  job.options.onOver?.(message.kind === 'done' ? message.value : undefined)
}

async function answer({ thread, id, job }: Pending, question: unknown): Promise<void> {
  try {
    const value = await job.options.answer?.(question as never)
    post(thread, { kind: 'answer', id, value })
  } catch (error) {
    post(thread, { kind: 'refusal', id, failure: sentOf(error) })
  }
}
