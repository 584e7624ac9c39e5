import { threadId } from 'node:worker_threads'
import { AppError } from '../../src/shared/domain/failure.ts'
import type { ErrorCode } from '../../src/shared/domain/failure.ts'
import { serve, threadData } from '../../src/server/workers/serve.ts'
import type { MainThreadLink } from '../../src/server/workers/serve.ts'
import type { SignaturesOf } from '../../src/server/workers/task-signatures.ts'

/** The entry file of a worker thread with tasks for the tests of the thread pool. */
const tasks = {
  greet: ({ name }: { readonly name: string }) =>
    `${(threadData() as { greeting: string }).greeting} ${name}`,
  refuse({ code }: { readonly code: ErrorCode }) {
    throw new AppError(code, { reason: 'why' })
  },
  fault() {
    throw new Error('a fault of the program')
  },
  ask: async ({ question }: { readonly question: number }, link: MainThreadLink) =>
    link.sendRequest(question),
  askAll: async ({ questions }: { readonly questions: readonly number[] }, link: MainThreadLink) =>
    Promise.all(questions.map(async (question) => link.sendRequest(question))),
  block({ ms }: { readonly ms: number }) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return threadId
  },
  hang({ gate }: { readonly gate: Int32Array }) {
    Atomics.wait(gate, 0, 0)
    return 'released'
  },
  context: (_input: object, link: MainThreadLink) => link.context,
  /** Uses shared memory and drops it. Returns the bytes that this thread holds. */
  share({ length }: { readonly length: number }) {
    new Uint8Array(new SharedArrayBuffer(length)).fill(1)
    return process.memoryUsage().arrayBuffers
  },
  give({ length }: { readonly length: number }, link: MainThreadLink) {
    const bytes = new Uint8Array(length).fill(7)
    link.transferWithResult(bytes.buffer)
    return bytes
  },
  async count(
    { to, counts }: { readonly to: number; readonly counts?: Int32Array },
    link: MainThreadLink<number>,
  ) {
    for (let index = 0; index < to; index += 1) {
      if (counts !== undefined) Atomics.store(counts, 0, index + 1)
      await link.emit(index)
    }
  },
  async countAndRefuse({ to }: { readonly to: number }, link: MainThreadLink<number>) {
    for (let index = 0; index < to; index += 1) await link.emit(index)
    throw new AppError('no-space')
  },
  spin(_input: object, link: MainThreadLink) {
    for (;;) link.throwIfAborted()
  },
  /** Requests help and reports whether another thread helped. */
  async together({ seen }: { readonly seen: Int32Array }, link: MainThreadLink) {
    link.requestHelp('assist', { seen })
    while (Atomics.load(seen, 0) === 0) {
      if (Atomics.wait(seen, 0, 0, 2000) === 'timed-out') return 'alone'
    }
    return Atomics.load(seen, 0) === threadId ? 'by itself' : 'helped'
  },
  assist({ seen }: { readonly seen: Int32Array }) {
    Atomics.store(seen, 0, threadId)
    Atomics.notify(seen, 0)
  },
  die: () => process.exit(3),
}

export type PoolTasks = SignaturesOf<typeof tasks>

serve(tasks)
