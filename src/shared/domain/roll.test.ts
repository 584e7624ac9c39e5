import { expect, test } from 'vitest'
import { createRoll } from './roll.ts'

test('who came and has not gone is there, in whatever order they go', () => {
  const roll = createRoll<string>()
  const leave = new Map(['a', 'b', 'c', 'd'].map((name) => [name, roll.add(name)]))
  for (const gone of ['b', 'd', 'a', 'c']) {
    leave.get(gone)?.()
    leave.get(gone)?.()
    leave.delete(gone)
    expect(roll.all().toSorted()).toEqual([...leave.keys()])
    expect(roll.size()).toBe(leave.size)
  }
})

test('one who goes again takes nobody along who came since', () => {
  const roll = createRoll<string>()
  const leave = roll.add('a')
  leave()
  roll.add('b')
  leave()
  expect(roll.all()).toEqual(['b'])
})

test('the same one may be there twice', () => {
  const roll = createRoll<string>()
  const leave = roll.add('a')
  roll.add('a')
  leave()
  expect(roll.all()).toEqual(['a'])
})
