import { isMainThread, workerData } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { AppError } from '../../shared/domain/failure.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { itemsAhead, mark } from './messages.ts'
import { errorOf, sentOf } from './sent-failure.ts'

/** What a running task has of the main thread. */
export type Link = {
  /**
   * Asks the one who started the task; rejects when the request was aborted meanwhile. What a task asks at once is asked one after the
   * other.
   */
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
  /** Has memory of the task's answer given away with it rather than copied. */
  readonly giveAway: (memory: Transferable) => void
  /** What the main thread tells many tasks alike. */
  readonly context: unknown
}

/** One that gives no promise is over before the next begins; of others the thread does several by turns. */
export type Task = (input: never, link: Link) => unknown
export type Tasks = Readonly<Record<string, Task>>

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
type Running = { answer: Waiting | null; room: Waiting | null; credits: number; gifts: Transferable[] }
type Run = ToThread & { readonly kind: 'run' }

/** The data that the pool gave to this thread's entry. */
export const threadData = (): unknown => (workerData as ThreadStart).data

/** Serves the tasks to the pool that started this thread. A thread's entry file ends with this call. */
export function serve(tasks: Tasks): void {
  if (isMainThread) throw new Error('a thread entry was started as a program')
  const start = workerData as ThreadStart
  const { port } = start
  const [marks, beats] = [new Int32Array(start.marks), new Int32Array(start.beats)]
  const beat = (): void => void Atomics.add(beats, 0, 1)
  const running = new Map<number, Running>()
  let context: unknown
  const post = (message: FromThread, transfer: readonly Transferable[] = noGifts): void =>
    port.postMessage(message, transfer)

  /** Begins one task; gives its promise where it is not over at once. */
  function begin({ slot, task: name, input }: Run): Promise<void> | null {
    const found = Atomics.compareExchange(marks, slot, mark.waiting, mark.running)
    if (found === mark.withdrawn) {
      post({ kind: 'skipped', slot })
      return null
    }
    const state: Running = { answer: null, room: null, credits: itemsAhead, gifts: [] }
    const end = (value: unknown): void => post({ kind: 'done', slot, value }, state.gifts)
    const fail = (error: unknown): void => post({ kind: 'failed', slot, failure: sentOf(error) })
    try {
      const task = tasks[name]
      if (task === undefined) throw new Error(`no task named ${name}`)
      const isAborted = (): boolean => {
        beat()
        return Atomics.load(marks, slot) === mark.aborted
      }
      if (isAborted()) throw new AppError('aborted')
      const value = task(input as never, linkOf({ state, post, slot, isAborted, beat, context }))
      if (!(value instanceof Promise)) {
        end(value)
        return null
      }
      running.set(slot, state)
      return value
        .then(end)
        .catch(fail)
        .finally(() => running.delete(slot))
    } catch (error) {
      fail(error)
      return null
    }
  }

  const goOn = inTurn((run) => {
    if ('context' in run) context = run.context
    return begin(run)
  })

  beat()
  port.on('message', (messages: readonly ToThread[]) => {
    beat()
    const runs: Run[] = []
    for (const message of messages) {
      if (message.kind === 'run') runs.push(message)
      else if (message.kind !== 'ping') takeMessage(running.get(message.slot), message)
    }
    goOn(runs)
  })
}

/** What waits is begun only when what was begun before is over, or waits for something itself: until then others may take it. */
function inTurn(begin: (run: Run) => Promise<void> | null): (more: readonly Run[]) => void {
  let waiting: Run[] = []
  let isGoingOn = false
  function goOn(): void {
    let begun = 0
    for (const run of waiting) {
      begun += 1
      if (begin(run) !== null) break
    }
    waiting = waiting.slice(begun)
    isGoingOn = waiting.length > 0
    if (isGoingOn) setImmediate(goOn)
  }
  return (more) => {
    waiting.push(...more)
    if (!isGoingOn) goOn()
  }
}

const noGifts: readonly Transferable[] = []

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
  readonly slot: number
  readonly isAborted: () => boolean
  readonly beat: () => void
  readonly context: unknown
}

function linkOf({ state, post, slot, isAborted, beat, context }: LinkParts): Link {
  const check = (): void => {
    if (isAborted()) throw new AppError('aborted')
  }
  let lastAsked: Promise<unknown> = Promise.resolve()

  async function askNow(question: unknown): Promise<unknown> {
    check()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    state.answer = { resolve, reject }
    post({ kind: 'question', slot, value: question })
    return promise.finally(() => (state.answer = null))
  }

  return {
    isAborted,
    beat,
    check,
    context,
    giveAway: (memory) => state.gifts.push(memory),
    callHelp: (task, input) => post({ kind: 'help', slot, task, input }),
    ask(question) {
      const answer = lastAsked.then(async () => askNow(question))
      lastAsked = answer.catch(() => {})
      return answer
    },
    async emit(item, transfer) {
      check()
      if (state.credits === 0) {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        state.room = { resolve, reject }
        await promise.finally(() => (state.room = null))
      }
      state.credits -= 1
      post({ kind: 'item', slot, value: item }, transfer)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
