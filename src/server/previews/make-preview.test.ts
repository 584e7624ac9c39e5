import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import type { OpenFile } from '../storage/port.ts'
import { createTurns } from '../turns/turns.ts'
import type { Outcome } from './conversion.ts'
import type { Converters } from './converters.ts'
import { createMakePreview, type Wish } from './make-preview.ts'

const file = (etag: string): OpenFile => ({
  entry: { name: 'a.png', kind: 'file', sizeBytes: 3, modifiedMs: 0, mode: 0, etag },
  async *bytes() {
    yield new Uint8Array(3)
  },
  close: () => Promise.resolve(),
})
const wish = (etag: string, more: Partial<Wish> = {}): Wish => ({
  file: file(etag),
  size: 'thumb',
  format: 'webp',
  personId: 1,
  signal: new AbortController().signal,
  ...more,
})

function maker(convert: Converters['convert']) {
  const world = { nowMs: 0, missing: 0, calls: 0 }
  const make = createMakePreview({
    converters: {
      convert(...asked) {
        world.calls += 1
        return convert(...asked)
      },
      close: () => {},
    },
    cache: { find: () => Promise.resolve(null), keep: () => Promise.resolve() },
    turns: createTurns({ atOnce: 8 }),
    nowMs: () => world.nowMs,
    onMissing: () => (world.missing += 1),
  })
  return { make, world }
}
const answer = (kind: Outcome['kind']) => () =>
  Promise.resolve({ kind, heldBytes: 1, bytes: Buffer.from('made') })

test('without the library images are shown as they are, which is told once', async () => {
  const { make, world } = maker(answer('without-library'))
  expect([await make(wish('a')), await make(wish('b'))]).toEqual([null, null])
  expect(world).toMatchObject({ missing: 1, calls: 1 })
})

test('security 3.8: eight of one person are at work or wait for a process; others go before the rest', async () => {
  const running: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { make } = maker(async (_conversion, _source, _signal) => {
    running.push('one')
    await gate
    return answer('made')()
  })
  const mine = Array.from({ length: 20 }, (_, n) => make(wish(`mine ${n}`)))
  const other = make(wish('other', { personId: 2 }))
  await expect.poll(() => running.length).toBe(9)
  open()
  await Promise.all([...mine, other])
  expect(running).toHaveLength(21)
})

test('bytes that were too much once are refused without another try, for a while', async () => {
  const { make, world } = maker(() => Promise.reject(new AppError('timeout')))
  const code = () => make(wish('a')).catch((error: AppError) => error.code)
  expect([await code(), await code(), world.calls]).toEqual(['timeout', 'timeout', 1])
  world.nowMs = 700_000
  expect([await code(), world.calls]).toEqual(['timeout', 2])
})

test('when the first to ask has left, the next one’s is made', async () => {
  let turn = 0
  const { promise: gate, resolve: leave } = Promise.withResolvers<void>()
  const { make } = maker(async () => {
    turn += 1
    if (turn > 1) return answer('made')()
    await gate
    throw new AppError('aborted')
  })
  const [first, second] = [make(wish('a')), make(wish('a'))]
  leave()
  await expect(first).rejects.toMatchObject({ code: 'aborted' })
  expect(String(await second)).toBe('made')
})
