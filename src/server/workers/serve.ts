import { parentPort, workerData } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { itemsAhead, mark } from './messages.ts'
import { errorOf, sentOf } from './sent-failure.ts'

/** What a running task has of the main thread. */
export type Link = {
  /** Asks the one who started the task; rejects when the request was aborted meanwhile. */
  ask(question: unknown): Promise<unknown>
  /** Sends a part of the answer, waits while too many are not taken yet, and lets other tasks of the thread run. */
  emit(item: unknown, transfer?: readonly Transferable[]): Promise<void>
  /**
   * Has an idle thread, if there is one, run a task of the same entry beside this one. Nothing comes back: both work on shared
   * memory, and the one who calls must manage alone if no help comes.
   */
  callHelp(task: string, input: unknown): void
  readonly isAborted: () => boolean
  /** Shows that the task gets on, where an abort comes too late; looks for one show it as well. */
  readonly beat: () => void
  /** Throws `aborted` when the request was. */
  readonly check: () => void
}

export type Task = (input: never, link: Link) => unknown
export type Tasks = Readonly<Record<string, Task>>

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
type Running = { answer: Waiting | null; room: Waiting | null; credits: number }

/** The data that the pool gave to this thread's entry. */
export const threadData = (): unknown => (workerData as ThreadStart).data

/** Serves the tasks to the pool that started this thread. A thread's entry file ends with this call. */
export function serve(tasks: Tasks): void {
  const port = parentPort
  if (port === null) throw new Error('a thread entry was started as a program')
  const start = workerData as ThreadStart
  const [marks, beats] = [new Int32Array(start.marks), new Int32Array(start.beats)]
  const beat = (): void => void Atomics.add(beats, 0, 1)
  const running = new Map<number, Running>()
  const post = (message: FromThread, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, transfer)

  async function run(message: ToThread & { kind: 'run' }): Promise<void> {
    const { id, slot } = message
    const found = Atomics.compareExchange(marks, slot, mark.waiting, mark.running)
    if (found === mark.withdrawn) return post({ kind: 'skipped', id, slot })
    const state: Running = { answer: null, room: null, credits: itemsAhead }
    running.set(id, state)
    try {
      const task = tasks[message.task]
      if (task === undefined) throw new Error(`no task named ${message.task}`)
      const isAborted = (): boolean => {
        beat()
        return Atomics.load(marks, slot) === mark.aborted
      }
      if (isAborted()) throw new AppError('aborted')
      const value = await task(message.input as never, linkOf({ state, post, id, isAborted, beat }))
      post({ kind: 'done', id, value })
    } catch (error) {
      post({ kind: 'failed', id, failure: sentOf(error) })
    } finally {
      running.delete(id)
    }
  }

  beat()
  port.on('message', (message: ToThread) => {
    beat()
    if (message.kind === 'run') void run(message)
    else if (message.kind !== 'ping') takeMessage(running.get(message.id), message)
  })
}

function takeMessage(state: Running | undefined, message: Exclude<ToThread, { kind: 'run' | 'ping' }>): void {
  if (state === undefined) return
  if (message.kind === 'answer') state.answer?.resolve(message.value)
  else if (message.kind === 'refusal') state.answer?.reject(errorOf(message.failure))
  else if (message.kind === 'more') {
    state.credits += 1
    state.room?.resolve(undefined)
  } else {
    state.answer?.reject(new AppError('aborted'))
    state.room?.reject(new AppError('aborted'))
  }
}

type LinkParts = {
  readonly state: Running
  readonly post: (message: FromThread, transfer?: readonly Transferable[]) => void
  readonly id: number
  readonly isAborted: () => boolean
  readonly beat: () => void
}

function linkOf({ state, post, id, isAborted, beat }: LinkParts): Link {
  const check = (): void => {
    if (isAborted()) throw new AppError('aborted')
  }
  return {
    isAborted,
    beat,
    check,
    callHelp: (task, input) => post({ kind: 'help', id, task, input }),
    async ask(question) {
      check()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      state.answer = { resolve, reject }
      post({ kind: 'question', id, value: question })
      return promise.finally(() => (state.answer = null))
    },
    async emit(item, transfer) {
      check()
      if (state.credits === 0) {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        state.room = { resolve, reject }
        await promise.finally(() => (state.room = null))
      }
      state.credits -= 1
      post({ kind: 'item', id, value: item }, transfer)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
