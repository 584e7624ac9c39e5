import { threadId } from 'node:worker_threads'
import { AppError } from '../../../shared/domain/failure.ts'
import type { ErrorCode } from '../../../shared/domain/failure.ts'
import { serve, threadData } from '../serve.ts'
import type { Link } from '../serve.ts'

/** Tasks for the tests of the pool. */
serve({
  greet: ({ name }: { readonly name: string }) =>
    `${(threadData() as { greeting: string }).greeting} ${name}`,
  refuse({ code }: { readonly code: ErrorCode }) {
    throw new AppError(code, { reason: 'why' })
  },
  fault() {
    throw new Error('a fault of the program')
  },
  ask: async ({ question }: { readonly question: number }, link) => link.ask(question),
  askAll: async ({ questions }: { readonly questions: readonly number[] }, link: Link) =>
    Promise.all(questions.map(async (question) => link.ask(question))),
  block({ ms }: { readonly ms: number }) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return threadId
  },
  hang({ gate }: { readonly gate: Int32Array }) {
    Atomics.wait(gate, 0, 0)
    return 'let go'
  },
  context: (_input: object, link: Link) => link.context,
  give({ length }: { readonly length: number }, link: Link) {
    const bytes = new Uint8Array(length).fill(7)
    link.giveAway(bytes.buffer)
    return bytes
  },
  async count({ to, counts }: { readonly to: number; readonly counts?: Int32Array }, link) {
    for (let at = 0; at < to; at += 1) {
      if (counts !== undefined) Atomics.store(counts, 0, at + 1)
      await link.emit(at)
    }
  },
  async countAndRefuse({ to }: { readonly to: number }, link) {
    for (let at = 0; at < to; at += 1) await link.emit(at)
    throw new AppError('no-space')
  },
  spin(_input: object, link: Link) {
    for (;;) link.check()
  },
  /** Tells whether another thread came when it was called. */
  async together({ seen }: { readonly seen: Int32Array }, link: Link) {
    link.callHelp('assist', { seen })
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
})
