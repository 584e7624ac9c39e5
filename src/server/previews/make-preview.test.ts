import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import type { OpenFile } from '../storage/port.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ConversionOutcome } from './conversion.ts'
import type { ConverterPool } from './converter-pool.ts'
import { createGuestLimiters } from './guest-limiters.ts'
import { createMakePreview, type PreviewJob } from './make-preview.ts'

const file = (etag: string): OpenFile => ({
  entry: { name: 'a.png', kind: 'file', sizeBytes: 3, modifiedMs: 0, mode: 0, etag },
  async *bytes() {
    yield new Uint8Array(3)
  },
  close: () => Promise.resolve(),
})
const jobOf = (etag: string, overrides: Partial<PreviewJob> = {}): PreviewJob => ({
  file: file(etag),
  poster: null,
  size: 'thumb',
  format: 'webp',
  principal: 'user 1',
  isGuest: false,
  signal: new AbortController().signal,
  ...overrides,
})

function createMaker(convert: ConverterPool['convert']) {
  const testState = { nowMs: 0, missing: 0, calls: 0 }
  const make = createMakePreview({
    converterPool: {
      convert(...parameters) {
        testState.calls += 1
        return convert(...parameters)
      },
      close: () => {},
    },
    drawPoster: () => Promise.reject(new AppError('unsupported')),
    cache: { get: () => Promise.resolve(null), put: () => Promise.resolve() },
    limiter: createKeyedLimiter({ maxConcurrent: 8 }),
    guests: createGuestLimiters(2),
    nowMs: () => testState.nowMs,
    onLibraryMissing: () => (testState.missing += 1),
  })
  return { make, testState }
}
const respondWith = (kind: ConversionOutcome['kind']) => () =>
  Promise.resolve({ kind, memoryBytes: 1, bytes: Buffer.from('made') })

test('without the image library, images are sent unchanged, and the server reports the missing library once', async () => {
  const { make, testState } = createMaker(respondWith('without-library'))
  expect([await make(jobOf('a')), await make(jobOf('b'))]).toEqual([null, null])
  expect(testState).toMatchObject({ missing: 1, calls: 1 })
})

test('security 3.8: one user has at most eight conversions running or waiting for a process, and other users are not delayed', async () => {
  const running: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { make } = createMaker(async (_conversion, _source, _signal) => {
    running.push('one')
    await gate
    return respondWith('made')()
  })
  const mine = Array.from({ length: 20 }, (_, n) => make(jobOf(`mine ${n}`)))
  const other = make(jobOf('other', { principal: 'user 2' }))
  await expect.poll(() => running.length).toBe(9)
  open()
  await Promise.all([...mine, other])
  expect(running).toHaveLength(21)
})

test('guests of several networks leave a process for users, and a guest who asks for too much is refused', async () => {
  const running: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { make } = createMaker(async () => {
    running.push('one')
    await gate
    return respondWith('made')()
  })
  const asGuest = (network: number, name: string) =>
    make(jobOf(name, { principal: `guest ${network}`, isGuest: true })).catch((error: AppError) => error.code)
  const waiting = Array.from({ length: 203 }, (_, n) => asGuest(1, `one ${n}`))
  waiting.push(asGuest(2, 'two'))
  await expect.poll(() => running.length).toBe(1)
  const own = make(jobOf('own'))
  await expect.poll(() => running.length).toBe(2)
  open()
  await own
  const outcomes = await Promise.all(waiting)
  expect(outcomes.filter((outcome) => outcome === 'too-many-tries')).toHaveLength(1)
  expect(running).toHaveLength(204)
})

test('a failed conversion is refused without another attempt for a while', async () => {
  const { make, testState } = createMaker(() => Promise.reject(new AppError('timeout')))
  const code = () => make(jobOf('a')).catch((error: AppError) => error.code)
  expect([await code(), await code(), testState.calls]).toEqual(['timeout', 'timeout', 1])
  testState.nowMs = 700_000
  expect([await code(), testState.calls]).toEqual(['timeout', 2])
})

test('when the first client has disconnected, the preview is made for the next client', async () => {
  let attempts = 0
  const { promise: disconnected, resolve: disconnect } = Promise.withResolvers<void>()
  const { make } = createMaker(async () => {
    attempts += 1
    if (attempts > 1) return respondWith('made')()
    await disconnected
    throw new AppError('aborted')
  })
  const [first, second] = [make(jobOf('a')), make(jobOf('a'))]
  disconnect()
  await expect(first).rejects.toMatchObject({ code: 'aborted' })
  expect(String(await second)).toBe('made')
})
