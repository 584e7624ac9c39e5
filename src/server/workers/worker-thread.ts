import { setFlagsFromString } from 'node:v8'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { MessageFromThread, ThreadStartData, MessageToThread } from './messages.ts'
import { jobState, maxJobsPerThread } from './messages.ts'
import { createPendingJobs, type PendingJobs } from './pending-jobs.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/** Options for running a task in a thread pool. */
export type TaskRunOptions = {
  /**
   * The resource that the task's system calls may hang on, for example a disk. When a resource hangs, its tasks block
   * only a limited number of threads, and further tasks on this resource wait.
   */
  readonly resource?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Handles a request that the running task sends. Returns the response or a promise that resolves with it. */
  readonly onRequest?: (request: never) => unknown
  /** True for a task of unknown duration. It never fails with `timeout`. */
  readonly hasNoDeadline?: boolean | undefined
  /** Data that many tasks share. It is sent to a thread only when it differs from the context of the previous task. */
  readonly context?: object | undefined
  /**
   * True for a task that normally takes far less than a millisecond. Such a task may wait in the queue of a thread
   * behind other short tasks.
   */
  readonly isShort?: boolean | undefined
  /** A value that must not be garbage-collected until the task has ended, such as the owner of a file descriptor. */
  readonly keepAlive?: unknown
  /**
   * Called exactly once, with the result of the task or undefined, when no thread works on the task any more. A task
   * that was abandoned may end long after its promise has rejected.
   */
  readonly onFinished?: ((value: unknown) => void) | undefined
}

/** A job: the name of a task, its input and its options. */
export type WorkerJob = {
  readonly task: string
  readonly input: unknown
  readonly options: TaskRunOptions
  readonly onItem?: (item: unknown) => void
}

/** A job that has not ended. `thread` changes when the job moves to another thread before it has started. */
export type PendingJob = {
  /** Serial number of the job. A job that was created later has a larger number. */
  readonly id: number
  readonly job: WorkerJob
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  thread: PoolThread
  slot: number
  /** True after the job's promise was rejected although its thread has not finished the job. */
  isAbandoned: boolean
}

/** A worker thread of a pool, with the state that the main thread keeps about it. */
export type PoolThread = {
  readonly worker: Worker
  readonly port: MessagePort
  /**
   * Messages that have not been sent yet. They are sent together at the end of this iteration of the event loop,
   * because waking a thread takes longer than sending the messages.
   */
  outbox: MessageToThread[]
  /** The context that was last sent to the thread. */
  context: object | undefined
  readonly jobStates: Int32Array
  readonly heartbeat: Int32Array
  readonly freeSlots: number[]
  readonly pending: PendingJobs<PendingJob>
  /** Value of the heartbeat counter at the previous check. */
  lastHeartbeat: number
  /** Time in milliseconds for which the thread has had work but made no progress. */
  silentMs: number
  /** True when a ping was sent since the last heartbeat. */
  isPinged: boolean
  /** Id of the last job that was assigned to the thread. */
  lastJobId: number
  /** Value of `lastJobId` at the previous check for idle threads. */
  lastJobIdSeen: number
}

export type ThreadCallbacks = {
  /** Called when the thread has ended. */
  readonly onExit: (thread: PoolThread, error: Error) => void
  /** Called when the last job of the thread has ended. */
  readonly onIdle: (thread: PoolThread) => void
  /** Called when a task requests that an idle thread runs another task concurrently. */
  readonly onHelpRequest: (thread: PoolThread, task: string, input: unknown) => void
}

/**
 * Works around a V8 fault that ends the process. When a JavaScript function that WebAssembly imports has been called a
 * thousand times, V8 compiles a wrapper for the function and shares this wrapper between threads. When threads start
 * and end, V8 may free a wrapper twice ("Check failed: jit_page.has_value()"). The server is affected because its
 * threads compress with WebAssembly, and because Node uses WebAssembly to strip types when the server runs from source.
 * With this flag the wrappers are never compiled, and a call of such a function takes 20 ns instead of 7 ns.
 */
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647')

/**
 * The largest size of the new generation of a thread's heap: two halves of 4 MB and as much for large objects, instead of 16 MB
 * each. The largest memory of the server in a benchmark of all its work was 360 instead of 434 MB. Where memory is small, an
 * option of the process sets a smaller size, which this one would replace.
 */
const isMemorySmall = process.execArgv.some((option) => option.startsWith('--max-semi-space-size'))
const resourceLimits = isMemorySmall ? {} : { maxYoungGenerationSizeMb: 12 }

export type ThreadStartOptions = { readonly entry: URL; readonly data: unknown }

/** Starts a worker thread. The thread keeps the process alive only while it has jobs. */
export function startThread({ entry, data }: ThreadStartOptions, callbacks: ThreadCallbacks): PoolThread {
  const jobStateBuffer = new SharedArrayBuffer(maxJobsPerThread * Int32Array.BYTES_PER_ELEMENT)
  const heartbeatBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const { port1: port, port2 } = new MessageChannel()
  const start: ThreadStartData = {
    jobStates: jobStateBuffer,
    heartbeat: heartbeatBuffer,
    isMemorySmall,
    data,
    port: port2,
  }
  // Other threads use and close the file descriptors that a thread has opened. Node must therefore not close them when
  // the thread ends.
  const worker = new Worker(entry, {
    workerData: start,
    transferList: [port2],
    trackUnmanagedFds: false,
    execArgv: [],
    resourceLimits,
  })
  const thread: PoolThread = {
    worker,
    port,
    outbox: [],
    context: undefined,
    jobStates: new Int32Array(jobStateBuffer),
    heartbeat: new Int32Array(heartbeatBuffer),
    freeSlots: Array.from({ length: maxJobsPerThread }, (_, index) => maxJobsPerThread - 1 - index),
    pending: createPendingJobs(),
    lastHeartbeat: 0,
    silentMs: 0,
    isPinged: false,
    lastJobId: 0,
    lastJobIdSeen: 0,
  }
  const handle = (message: MessageFromThread): void => {
    if (message.kind === 'help') callbacks.onHelpRequest(thread, message.task, message.input)
    else receiveMessage(thread, message, callbacks)
  }
  port.on('message', (message: MessageFromThread) => {
    handle(message)
    // Dispatching an event is slow, so all messages that have already arrived are handled together.
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      handle(next.message as MessageFromThread)
  })
  worker.on('error', (cause) => callbacks.onExit(thread, new Error('a worker thread failed', { cause })))
  worker.on('exit', (code) => callbacks.onExit(thread, new Error(`a worker thread ended with ${code}`)))
  unrefThread(thread)
  return thread
}

/** Allows the process to exit while this thread is running. */
function unrefThread({ worker, port }: PoolThread): void {
  worker.unref()
  port.unref()
}

/** Queues a message for a thread. All messages of one iteration of the event loop are sent together. */
export function postToThread(thread: PoolThread, message: MessageToThread): void {
  if (thread.outbox.length === 0) setImmediate(flushOutbox, thread)
  thread.outbox.push(message)
}

function flushOutbox(thread: PoolThread): void {
  thread.port.postMessage(thread.outbox, [])
  thread.outbox = []
}

/** Sends a job to its thread. Throws `overloaded` when all slots of the thread are taken. */
export function assignJob(pending: PendingJob): void {
  const { thread, job } = pending
  const slot = thread.freeSlots.pop()
  if (slot === undefined) throw new AppError('overloaded', { retryAfterSeconds: 1 })
  pending.slot = slot
  Atomics.store(thread.jobStates, slot, jobState.waiting)
  if (thread.pending.size === 0) {
    thread.worker.ref()
    thread.port.ref()
  }
  thread.pending.add(pending)
  thread.lastJobId = pending.id
  const { task, input, options } = job
  const { context } = options
  const run = { kind: 'run', slot, task, input } as const
  if (context === undefined || context === thread.context) return postToThread(thread, run)
  thread.context = context
  postToThread(thread, { ...run, context })
}

/** Withdraws a job from its thread. Returns false when the thread has already started the job. */
function withdrawJob(pending: PendingJob): boolean {
  const { thread, slot } = pending
  const found = Atomics.compareExchange(thread.jobStates, slot, jobState.waiting, jobState.withdrawn)
  if (found !== jobState.waiting) return false
  thread.pending.remove(pending)
  if (thread.pending.size === 0) unrefThread(thread)
  return true
}

/** Moves a job to another thread, unless its current thread has started it. */
export function moveJob(pending: PendingJob, selectThread: () => PoolThread): void {
  if (!withdrawJob(pending)) return
  pending.thread = selectThread()
  assignJob(pending)
}

/** Returns true while the job's thread has not started the job. */
export const isNotStarted = ({ thread, slot }: PendingJob): boolean =>
  Atomics.load(thread.jobStates, slot) === jobState.waiting

/** Notifies the thread that its job was aborted. Does nothing when the job has ended. */
export function abortJob(pending: PendingJob): void {
  const { thread, slot } = pending
  if (!thread.pending.has(pending)) return
  Atomics.store(thread.jobStates, slot, jobState.aborted)
  postToThread(thread, { kind: 'abort', slot })
}

/**
 * Rejects a job whose thread does not respond. The job keeps its slot. The thread is notified to abort the task, so the
 * task cleans up if the thread ever continues.
 */
export function abandonJob(pending: PendingJob, error: Error): void {
  if (pending.isAbandoned) return
  pending.isAbandoned = true
  pending.reject(error)
  abortJob(pending)
}

/** Rejects all jobs of a thread that has ended. */
export function failAllJobs(thread: PoolThread, error: Error): void {
  for (const pending of thread.pending.all()) {
    thread.pending.remove(pending)
    pending.reject(error)
    pending.job.options.onFinished?.(undefined)
  }
}

function receiveMessage(
  thread: PoolThread,
  message: Exclude<MessageFromThread, { kind: 'help' }>,
  { onIdle }: ThreadCallbacks,
): void {
  if (message.kind === 'skipped') {
    thread.freeSlots.push(message.slot)
    return
  }
  const pending = thread.pending.at(message.slot)
  if (pending === undefined) return
  if (message.kind === 'item') pending.job.onItem?.(message.value)
  else if (message.kind === 'request') void respondToRequest(pending, message.value)
  else {
    thread.pending.remove(pending)
    thread.freeSlots.push(pending.slot)
    if (thread.pending.size === 0) unrefThread(thread)
    settleJob(pending, message)
    if (thread.pending.size === 0) onIdle(thread)
  }
}

function settleJob(
  { job, resolve, reject }: PendingJob,
  message: MessageFromThread & { kind: 'done' | 'failed' },
): void {
  if (message.kind === 'done') resolve(message.value)
  else reject(deserializeError(message.failure))
  job.options.onFinished?.(message.kind === 'done' ? message.value : undefined)
}

async function respondToRequest({ thread, slot, job }: PendingJob, request: unknown): Promise<void> {
  try {
    const value = await job.options.onRequest?.(request as never)
    postToThread(thread, { kind: 'response', slot, value })
  } catch (error) {
    postToThread(thread, { kind: 'request-failed', slot, failure: serializeError(error) })
  }
}
