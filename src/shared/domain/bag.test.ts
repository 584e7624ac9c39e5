import { expect, test } from 'vitest'
import { createBag } from './bag.ts'

test('a bag contains the items that were added and not removed, whatever the order of the removals', () => {
  const bag = createBag<string>()
  const leave = new Map(['a', 'b', 'c', 'd'].map((name) => [name, bag.add(name)]))
  for (const gone of ['b', 'd', 'a', 'c']) {
    leave.get(gone)?.()
    leave.get(gone)?.()
    leave.delete(gone)
    expect(bag.all().toSorted()).toEqual([...leave.keys()])
    expect(bag.size()).toBe(leave.size)
  }
})

test('removing an item twice does not remove an item that was added in the meantime', () => {
  const bag = createBag<string>()
  const leave = bag.add('a')
  leave()
  bag.add('b')
  leave()
  expect(bag.all()).toEqual(['b'])
})

test('a bag can contain the same item twice', () => {
  const bag = createBag<string>()
  const leave = bag.add('a')
  bag.add('a')
  leave()
  expect(bag.all()).toEqual(['a'])
})
