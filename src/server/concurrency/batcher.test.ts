import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

/**
 * Creates a batcher whose batches finish when the test allows it. `batches` lists them in the order of their
 * start.
 */
function createTestBatcher({ maxConcurrent = 1, failsQueue = (_error: unknown): boolean => false } = {}) {
  const batches: { readonly items: readonly string[]; readonly gate: PromiseWithResolvers<void> }[] = []
  const batch = createBatcher<string, string>({
    maxConcurrent,
    maxBatchSize: 3,
    failsQueue,
    async runBatch(items) {
      const gate = Promise.withResolvers<void>()
      batches.push({ items, gate })
      await gate.promise
      return items.map((item) =>
        item === 'bad'
          ? { status: 'rejected', reason: new Error(item) }
          : { status: 'fulfilled', value: item },
      )
    },
  })
  const started = async (count: number) => expect.poll(() => batches.length).toBe(count)
  return { batches, batch, started }
}

const nextIteration = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('items that arrive together form a batch of limited size, and later items wait for the next batch', async () => {
  const { batches, batch, started } = createTestBatcher()
  const first = [batch('a', '1'), batch('a', '2'), batch('b', 'other')]
  await started(2)
  const later = ['3', '4', '5', '6'].map(async (item) => batch('a', item))
  batches[0]?.gate.resolve()
  batches[1]?.gate.resolve()
  expect(await Promise.all(first)).toEqual(['1', '2', 'other'])
  await started(3)
  batches[2]?.gate.resolve()
  await started(4)
  batches[3]?.gate.resolve()
  expect(await Promise.all(later)).toEqual(['3', '4', '5', '6'])
  expect(batches.map(({ items }) => items)).toEqual([['1', '2'], ['other'], ['3', '4', '5'], ['6']])
})

test('items that arrive in successive iterations of the event loop form one batch', async () => {
  const { batches, batch, started } = createTestBatcher()
  const all = [batch('a', '1')]
  for (const item of ['2', '3']) {
    await nextIteration()
    all.push(batch('a', item))
  }
  await started(1)
  batches[0]?.gate.resolve()
  await Promise.all(all)
  expect(batches.map(({ items }) => items)).toEqual([['1', '2', '3']])
})

test('with two concurrent batches, each batch takes at most its share of the items', async () => {
  const { batches, batch, started } = createTestBatcher({ maxConcurrent: 2 })
  const all = ['1', '2', '3', '4', '5'].map(async (item) => batch('a', item))
  await started(2)
  batches[0]?.gate.resolve()
  await Promise.all(all.slice(0, 3))
  all.push(batch('a', '6'))
  await started(3)
  batches[1]?.gate.resolve()
  batches[2]?.gate.resolve()
  await Promise.all(all)
  expect(batches.map(({ items }) => items)).toEqual([['1', '2', '3'], ['4', '5'], ['6']])
})

test('each item has its own outcome', async () => {
  const { batches, batch, started } = createTestBatcher()
  const both = Promise.allSettled([batch('a', 'bad'), batch('a', 'good')])
  await started(1)
  batches[0]?.gate.resolve()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test.each([
  [false, ['rejected', 'fulfilled']],
  [true, ['rejected', 'rejected']],
])('a batch that fails also fails the waiting items: %s', async (failsQueue, outcomes) => {
  const { batches, batch, started } = createTestBatcher({ failsQueue: () => failsQueue })
  const first = batch('a', '1')
  await started(1)
  const both = Promise.allSettled([first, batch('a', '2')])
  batches[0]?.gate.reject(new Error('no disk'))
  if (!failsQueue) await started(2)
  batches[1]?.gate.resolve()
  expect((await both).map(({ status }) => status)).toEqual(outcomes)
})
