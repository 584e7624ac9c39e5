import { expect, test } from 'vitest'
import { createTogether } from './together.ts'

/** Goes that are let through one by one; their items, as they began. */
function world({ atOnce = 1, isForAll = (_error: unknown): boolean => false } = {}) {
  const goes: { readonly items: readonly string[]; readonly gate: PromiseWithResolvers<void> }[] = []
  const together = createTogether<string, string>({
    atOnce,
    mostInOne: 3,
    isForAll,
    async go(items) {
      const gate = Promise.withResolvers<void>()
      goes.push({ items, gate })
      await gate.promise
      return items.map((item) =>
        item === 'bad'
          ? { status: 'rejected', reason: new Error(item) }
          : { status: 'fulfilled', value: item },
      )
    },
  })
  const begun = async (count: number) => expect.poll(() => goes.length).toBe(count)
  return { goes, together, begun }
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('what comes at once goes together, what comes meanwhile with the next, and no more than fit', async () => {
  const { goes, together, begun } = world()
  const first = [together('a', '1'), together('a', '2'), together('b', 'other')]
  await begun(2)
  const later = ['3', '4', '5', '6'].map(async (item) => together('a', item))
  goes[0]?.gate.resolve()
  goes[1]?.gate.resolve()
  expect(await Promise.all(first)).toEqual(['1', '2', 'other'])
  await begun(3)
  goes[2]?.gate.resolve()
  await begun(4)
  goes[3]?.gate.resolve()
  expect(await Promise.all(later)).toEqual(['3', '4', '5', '6'])
  expect(goes.map(({ items }) => items)).toEqual([['1', '2'], ['other'], ['3', '4', '5'], ['6']])
})

test('what comes in the turns that follow goes together, too', async () => {
  const { goes, together, begun } = world()
  const all = [together('a', '1')]
  for (const item of ['2', '3']) {
    await nextTurn()
    all.push(together('a', item))
  }
  await begun(1)
  goes[0]?.gate.resolve()
  await Promise.all(all)
  expect(goes.map(({ items }) => items)).toEqual([['1', '2', '3']])
})

test('where two may be under way, none takes more than its part', async () => {
  const { goes, together, begun } = world({ atOnce: 2 })
  const all = ['1', '2', '3', '4', '5'].map(async (item) => together('a', item))
  await begun(2)
  goes[0]?.gate.resolve()
  await Promise.all(all.slice(0, 3))
  all.push(together('a', '6'))
  await begun(3)
  goes[1]?.gate.resolve()
  goes[2]?.gate.resolve()
  await Promise.all(all)
  expect(goes.map(({ items }) => items)).toEqual([['1', '2', '3'], ['4', '5'], ['6']])
})

test('each has an outcome of its own', async () => {
  const { goes, together, begun } = world()
  const both = Promise.allSettled([together('a', 'bad'), together('a', 'good')])
  await begun(1)
  goes[0]?.gate.resolve()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test.each([
  [false, ['rejected', 'fulfilled']],
  [true, ['rejected', 'rejected']],
])('a go that fails, for those behind it too: %s', async (isForAll, outcomes) => {
  const { goes, together, begun } = world({ isForAll: () => isForAll })
  const before = together('a', '1')
  await begun(1)
  const both = Promise.allSettled([before, together('a', '2')])
  goes[0]?.gate.reject(new Error('no disk'))
  if (!isForAll) await begun(2)
  goes[1]?.gate.resolve()
  expect((await both).map(({ status }) => status)).toEqual(outcomes)
})
