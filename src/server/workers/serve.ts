import { createSerialQueue } from '../concurrency/serial-queue.ts'
import { isMainThread, workerData } from 'node:worker_threads'
import type { MessagePort, Transferable } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { MessageFromThread, ThreadStartData, MessageToThread } from './messages.ts'
import { maxItemsAhead, jobState } from './messages.ts'
import { collectGarbageOnGrowth } from './garbage.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/** The functions that a running task uses to communicate with the main thread. The task sends items of the type `Item`. */
export type MainThreadLink<Item = never> = {
  /**
   * Sends a request to the code that started the task. Resolves with the response, or rejects with `aborted` when the
   * job is aborted before the response arrives. Concurrent requests of a task are sent one after the other.
   */
  sendRequest(request: unknown): Promise<unknown>
  /**
   * Sends one item of a streamed result. Waits while the receiver has not yet taken `maxItemsAhead` earlier items.
   * Other tasks of the thread can run during this wait.
   */
  emit(item: Item, transfer?: readonly Transferable[]): Promise<void>
  /**
   * Requests that an idle thread runs another task of the same entry file concurrently. The other task returns no
   * result, because the two tasks work on shared memory. When no thread is idle, the other task does not run, so the
   * calling task must be able to do all of the work itself.
   */
  requestHelp(task: string, input: unknown): void
  readonly isAborted: () => boolean
  /**
   * Increases the heartbeat. Tasks call this during work that can no longer be aborted. `isAborted` and
   * `throwIfAborted` increase it as well.
   */
  readonly reportProgress: () => void
  /** Throws `aborted` when the job was aborted. */
  readonly throwIfAborted: () => void
  /** Transfers memory with the task's result instead of copying it. */
  readonly transferWithResult: (memory: Transferable) => void
  /** The context that the main thread sent for this task (see `TaskRunOptions`). */
  readonly context: unknown
}

/**
 * A task that a thread can run. When a task returns no promise, it ends before the next task starts. Tasks that return
 * promises run concurrently.
 */
export type WorkerTask = (input: never, link: MainThreadLink) => unknown
export type WorkerTasks = Readonly<Record<string, WorkerTask>>

type PromiseResolvers = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}
/** State of a running task. */
type RunningTask = {
  /** Settles the request that is waiting for a response. Null when no request is waiting. */
  reply: PromiseResolvers | null
  /**
   * Settles the wait of an item that may be sent only after the main thread has taken an earlier item. Null when no
   * item waits.
   */
  capacity: PromiseResolvers | null
  /** Number of items that may be sent without waiting. */
  credits: number
  transferList: Transferable[]
}
type RunTaskMessage = MessageToThread & { readonly kind: 'run' }

/** Returns the `data` option of the pool that started this thread. */
export const threadData = (): unknown => (workerData as ThreadStartData).data

/**
 * Runs the tasks that the pool sends to this thread. The entry file of a thread calls this function last. `onEnd`
 * releases resources that would outlive the thread. It is called when the pool ends the thread because it was idle, but
 * not when the process ends.
 */
export function serve(tasks: WorkerTasks, onEnd: () => void = () => {}): void {
  const start = prepareThread()
  const { port } = start
  const [jobStates, heartbeat] = [new Int32Array(start.jobStates), new Int32Array(start.heartbeat)]
  const reportProgress = (): void => void Atomics.add(heartbeat, 0, 1)
  const running = new Map<number, RunningTask>()
  let context: unknown
  const post = (message: MessageFromThread, transfer: readonly Transferable[] = noTransfer): void =>
    port.postMessage(message, transfer)

  /** Starts one task. Returns a promise that resolves when the task has ended, or null when it has already ended. */
  function startTask({ slot, task: name, input }: RunTaskMessage): Promise<void> | null {
    const found = Atomics.compareExchange(jobStates, slot, jobState.waiting, jobState.running)
    if (found === jobState.withdrawn) {
      post({ kind: 'skipped', slot })
      return null
    }
    const state: RunningTask = { reply: null, capacity: null, credits: maxItemsAhead, transferList: [] }
    const succeed = (value: unknown): void => post({ kind: 'done', slot, value }, state.transferList)
    const fail = (error: unknown): void => post({ kind: 'failed', slot, failure: serializeError(error) })
    try {
      const task = tasks[name]
      if (task === undefined) throw new Error(`no task named ${name}`)
      const isAborted = (): boolean => {
        reportProgress()
        return Atomics.load(jobStates, slot) === jobState.aborted
      }
      if (isAborted()) throw new AppError('aborted')
      const value = task(
        input as never,
        createLink({ state, post, slot, isAborted, reportProgress, context }),
      )
      if (!(value instanceof Promise)) {
        succeed(value)
        return null
      }
      running.set(slot, state)
      return value
        .then(succeed)
        .catch(fail)
        .finally(() => running.delete(slot))
    } catch (error) {
      fail(error)
      return null
    }
  }

  const enqueue = createRunQueue((run) => {
    if ('context' in run) context = run.context
    return startTask(run)
  })

  reportProgress()
  port.on('message', (messages: readonly MessageToThread[]) => {
    reportProgress()
    for (const message of messages) {
      if (message.kind === 'end') endThread(port, onEnd)
      else if (message.kind !== 'run' && message.kind !== 'ping')
        handleMessage(running.get(message.slot), message)
    }
    enqueue(messages.filter((message) => message.kind === 'run'))
  })
}

/** Returns the data with which the pool started this thread. Where memory is small, the thread collects its garbage early. */
function prepareThread(): ThreadStartData {
  if (isMainThread) throw new Error('a thread entry was started as a program')
  const start = workerData as ThreadStartData
  if (start.isMemorySmall) collectGarbageOnGrowth()
  return start
}

/** Ends the thread by closing its port, which is the only resource that keeps an idle thread running. */
function endThread(port: MessagePort, onEnd: () => void): void {
  onEnd()
  port.close()
}

/**
 * Creates the queue of tasks that have not started. When a task returns a promise, the remaining tasks in the queue
 * wait for the next iteration of the event loop. Until then, the main thread can move their jobs to other threads.
 */
function createRunQueue(
  startTask: (run: RunTaskMessage) => Promise<void> | null,
): (more: readonly RunTaskMessage[]) => void {
  let waiting: RunTaskMessage[] = []
  let isScheduled = false
  function runWaiting(): void {
    let started = 0
    for (const run of waiting) {
      started += 1
      if (startTask(run) !== null) break
    }
    waiting = waiting.slice(started)
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(runWaiting)
  }
  return (more) => {
    waiting.push(...more)
    if (!isScheduled) runWaiting()
  }
}

const noTransfer: readonly Transferable[] = []

function handleMessage(
  state: RunningTask | undefined,
  message: Exclude<MessageToThread, { kind: 'run' | 'ping' | 'end' }>,
): void {
  if (state === undefined) return
  if (message.kind === 'response') state.reply?.resolve(message.value)
  else if (message.kind === 'request-failed') state.reply?.reject(deserializeError(message.failure))
  else if (message.kind === 'more') {
    state.credits += 1
    state.capacity?.resolve(undefined)
  } else {
    state.reply?.reject(new AppError('aborted'))
    state.capacity?.reject(new AppError('aborted'))
  }
}

type MainThreadLinkOptions = {
  readonly state: RunningTask
  readonly post: (message: MessageFromThread, transfer?: readonly Transferable[]) => void
  readonly slot: number
  readonly isAborted: () => boolean
  readonly reportProgress: () => void
  readonly context: unknown
}

function createLink({
  state,
  post,
  slot,
  isAborted,
  reportProgress,
  context,
}: MainThreadLinkOptions): MainThreadLink<unknown> {
  const throwIfAborted = (): void => {
    if (isAborted()) throw new AppError('aborted')
  }
  const inTurn = createSerialQueue()

  async function postRequest(request: unknown): Promise<unknown> {
    throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    state.reply = { resolve, reject }
    post({ kind: 'request', slot, value: request })
    return promise.finally(() => (state.reply = null))
  }

  return {
    isAborted,
    reportProgress,
    throwIfAborted,
    context,
    transferWithResult: (memory) => state.transferList.push(memory),
    requestHelp: (task, input) => post({ kind: 'help', slot, task, input }),
    sendRequest: (request) => inTurn(() => postRequest(request)),
    async emit(item, transfer) {
      throwIfAborted()
      if (state.credits === 0) {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        state.capacity = { resolve, reject }
        await promise.finally(() => (state.capacity = null))
      }
      state.credits -= 1
      post({ kind: 'item', slot, value: item }, transfer)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
