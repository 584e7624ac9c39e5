import { setFlagsFromString } from 'node:v8'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { mark, mostAtOnce } from './messages.ts'
import { createPendingJobs, type PendingJobs } from './pending-jobs.ts'
import { errorOf, sentOf } from './sent-failure.ts'

export type RunOptions = {
  /** What the task's calls may hang on. Of tasks on the same thing only so many hang at once; the others wait for them. */
  readonly on?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Answers the questions of the running task. */
  readonly answer?: (question: never) => unknown
  /** For work of which nobody knows how long it takes: it is never given up. */
  readonly isUnlimited?: boolean | undefined
  /** What many tasks are told alike: it goes to a thread only when it is another than the one before. */
  readonly context?: object | undefined
  /** As a rule it takes far less than a millisecond, so that it may wait a moment for a thread that has others like it. */
  readonly isShort?: boolean | undefined
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
  /** Counts up. */
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
  readonly port: MessagePort
  /** What it is told at the end of this turn of the event loop: waking a thread costs more than all that it is woken for. */
  outbox: ToThread[]
  context: object | undefined
  readonly marks: Int32Array
  readonly beats: Int32Array
  readonly freeSlots: number[]
  readonly pending: PendingJobs
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
  const { port1: port, port2 } = new MessageChannel()
  const start: ThreadStart = { marks, beats, data, port: port2 }
  // Descriptors are opened in threads and closed anywhere: a thread must not close them when it ends.
  const worker = new Worker(entry, {
    workerData: start,
    transferList: [port2],
    trackUnmanagedFds: false,
    execArgv: [],
  })
  const thread: Thread = {
    worker,
    port,
    outbox: [],
    context: undefined,
    marks: new Int32Array(marks),
    beats: new Int32Array(beats),
    freeSlots: Array.from({ length: mostAtOnce }, (_, at) => mostAtOnce - 1 - at),
    pending: createPendingJobs(),
    lastBeat: 0,
    quietMs: 0,
    isPinged: false,
  }
  const take = (message: FromThread): void => {
    if (message.kind === 'help') reports.help(thread, message.task, message.input)
    else receive(thread, message, reports)
  }
  port.on('message', (message: FromThread) => {
    take(message)
    // Each event has its price; what else has come by now goes along.
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      take(next.message as FromThread)
  })
  worker.on('error', (cause) => reports.onGone(thread, new Error('a worker thread failed', { cause })))
  worker.on('exit', (code) => reports.onGone(thread, new Error(`a worker thread ended with ${code}`)))
  release(thread)
  return thread
}

/** It keeps the process alive only while it has work. */
function release({ worker, port }: Thread): void {
  worker.unref()
  port.unref()
}

export function post(thread: Thread, message: ToThread): void {
  if (thread.outbox.length === 0) setImmediate(send, thread)
  thread.outbox.push(message)
}

function send(thread: Thread): void {
  thread.port.postMessage(thread.outbox, [])
  thread.outbox = []
}

/** Hands a job to its thread. */
export function put(pending: Pending): void {
  const { thread, job } = pending
  const slot = thread.freeSlots.pop()
  if (slot === undefined) throw new AppError('overloaded', { retryAfterSeconds: 1 })
  pending.slot = slot
  Atomics.store(thread.marks, slot, mark.waiting)
  if (thread.pending.size === 0) {
    thread.worker.ref()
    thread.port.ref()
  }
  thread.pending.add(pending)
  const { task, input, options } = job
  const { context } = options
  const run = { kind: 'run', slot, task, input } as const
  if (context === undefined || context === thread.context) return post(thread, run)
  thread.context = context
  post(thread, { ...run, context })
}

/** Takes a job back that its thread has not begun; false when it has. */
function withdraw(pending: Pending): boolean {
  const { thread, slot } = pending
  const found = Atomics.compareExchange(thread.marks, slot, mark.waiting, mark.withdrawn)
  if (found !== mark.waiting) return false
  thread.pending.remove(pending)
  if (thread.pending.size === 0) release(thread)
  return true
}

/** Gives a job to another thread, if its own has not begun it. */
export function move(pending: Pending, pick: () => Thread): void {
  if (!withdraw(pending)) return
  pending.thread = pick()
  put(pending)
}

export const isUnbegun = ({ thread, slot }: Pending): boolean =>
  Atomics.load(thread.marks, slot) === mark.waiting

export function abort(pending: Pending): void {
  const { thread, slot } = pending
  if (!thread.pending.has(pending)) return
  Atomics.store(thread.marks, slot, mark.aborted)
  post(thread, { kind: 'abort', slot })
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
  for (const pending of thread.pending.all()) {
    thread.pending.remove(pending)
    pending.reject(error)
    pending.job.options.onOver?.(undefined)
  }
}

function receive(thread: Thread, message: Exclude<FromThread, { kind: 'help' }>, { onIdle }: Reports): void {
  if (message.kind === 'skipped') {
    thread.freeSlots.push(message.slot)
    return
  }
  const pending = thread.pending.at(message.slot)
  if (pending === undefined) return
  if (message.kind === 'item') pending.job.onItem?.(message.value)
  else if (message.kind === 'question') void answer(pending, message.value)
  else {
    thread.pending.remove(pending)
    thread.freeSlots.push(pending.slot)
    if (thread.pending.size === 0) release(thread)
    end(pending, message)
    if (thread.pending.size === 0) onIdle(thread)
  }
}

function end({ job, resolve, reject }: Pending, message: FromThread & { kind: 'done' | 'failed' }): void {
  if (message.kind === 'done') resolve(message.value)
  else reject(errorOf(message.failure))
  job.options.onOver?.(message.kind === 'done' ? message.value : undefined)
}

async function answer({ thread, slot, job }: Pending, question: unknown): Promise<void> {
  try {
    const value = await job.options.answer?.(question as never)
    post(thread, { kind: 'answer', slot, value })
  } catch (error) {
    post(thread, { kind: 'refusal', slot, failure: sentOf(error) })
  }
}
