import { AppError } from '../../shared/domain/failure.ts'
import { createGathering } from './gathering.ts'
import { placeFor, staysBehind, type Crew } from './placing.ts'
import type { Ticket } from './stream.ts'
import { abort, failAll, move, post, put, startThread } from './thread.ts'
import type { Job, Pending, Thread, ThreadWish } from './thread.ts'
import { createRounds, isSlow, lookAt, type Patience } from './watch.ts'

export type CrewWish = ThreadWish & { readonly size: number; readonly patience: Patience | undefined }

/** The threads of a pool, each job with the one that can do it soonest. */
export type Threads = {
  begin(job: Job): Ticket
  /** Rejects what runs; waits a moment for the threads to end. */
  close(): Promise<void>
}

/** How long threads may take to stop: one that hangs in a call of the system never does. */
const stopMs = 1000

export function createThreads({ entry, data, size, patience }: CrewWish): Threads {
  const threads: Thread[] = []
  const crew: Crew = { threads, size, patience }
  let lastId = 0
  const rounds = createRounds((patience?.slowMs ?? 0) / 2, look)

  function drop(thread: Thread, error: Error): void {
    const at = threads.indexOf(thread)
    if (at >= 0) threads.splice(at, 1)
    gathering.leave()
    failAll(thread, error)
  }

  /** There are more than were wished for only while some do not answer. */
  function onIdle(thread: Thread): void {
    if (threads.length <= size) return
    drop(thread, new AppError('unavailable'))
    void thread.worker.terminate()
  }

  function add(): Thread {
    const thread = startThread({ entry, data }, { onGone: drop, onIdle, help })
    threads.push(thread)
    return thread
  }

  const pick = (job: Job): Thread => placeFor(crew, job) ?? add()

  const idleBut = (busy: Thread): Thread | undefined =>
    threads.find((thread) => thread !== busy && thread.pending.size === 0) ??
    (threads.length < size ? add() : undefined)

  function help(asking: Thread, task: string, input: unknown): void {
    const helper = idleBut(asking)
    if (helper !== undefined) start(helper, { task, input, options: {} }).done.catch(() => {})
  }

  function start(thread: Thread, job: Job): Ticket {
    lastId += 1
    const ticket = ticketOf({ thread, id: lastId, job })
    if (patience !== undefined) rounds.start()
    return ticket
  }

  function look(sinceMs: number): boolean {
    const slow = slowNow(crew, sinceMs)
    if (slow.length > 0) gathering.leave()
    slow.flatMap(({ pending }) => pending.all()).forEach(passOn)
    return threads.some(({ pending }) => pending.size > 0)
  }

  /** What a thread that hangs has not begun is done by another, where there is one. */
  function passOn(pending: Pending): void {
    if (!pending.isGivenUp && !staysBehind(crew, pending)) move(pending, () => pick(pending.job))
  }

  const gathering = createGathering({
    threads,
    pick,
    idleBut,
    mayMove: (pending) => patience === undefined || !staysBehind(crew, pending),
  })

  return {
    begin: (job) => start(job.options.isShort === true ? gathering.placeFor(job) : pick(job), job),
    async close() {
      rounds.stop()
      gathering.stop()
      await stop(threads.splice(0))
    },
  }
}

async function stop(threads: readonly Thread[]): Promise<void> {
  for (const thread of threads) failAll(thread, new AppError('unavailable'))
  const stopped = Promise.all(threads.map(async ({ worker }) => worker.terminate()))
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopMs)
  await Promise.race([stopped, isLate])
  clearTimeout(timer)
}

/** Those that are slow, after a look at all. */
function slowNow({ threads, patience }: Crew, sinceMs: number): readonly Thread[] {
  if (patience === undefined) return []
  for (const thread of threads) lookAt(thread, sinceMs, patience)
  return threads.filter((thread) => isSlow(thread, patience))
}

type Beginning = { readonly thread: Thread; readonly id: number; readonly job: Job }

function ticketOf(beginning: Beginning): Ticket {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const pending: Pending = { ...beginning, resolve, reject, slot: 0, isGivenUp: false }
  put(pending)
  const { signal } = beginning.job.options
  const end = (): void => abort(pending)
  return {
    done: signal === undefined ? promise : untilAborted(promise, signal, end),
    abort: end,
    more: () =>
      pending.thread.pending.has(pending) && post(pending.thread, { kind: 'more', slot: pending.slot }),
  }
}

function untilAborted(done: Promise<unknown>, signal: AbortSignal, end: () => void): Promise<unknown> {
  signal.addEventListener('abort', end, { once: true })
  return done.finally(() => signal.removeEventListener('abort', end))
}
