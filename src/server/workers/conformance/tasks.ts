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
  block({ ms }: { readonly ms: number }) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return threadId
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
  die: () => process.exit(3),
})
