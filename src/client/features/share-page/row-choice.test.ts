import { expect, test } from 'vitest'
import { extendChoice, noRows, toggleChoice } from './row-choice.ts'

const order = ['a', 'b', 'c', 'd', 'e']

test('a row is chosen and left out again, and a range begins at the last of these rows', () => {
  const b = toggleChoice(noRows, 'b')
  expect([...b.names]).toEqual(['b'])
  expect([...toggleChoice(b, 'b').names]).toEqual([])
  expect([...extendChoice(b, 'd', order).names]).toEqual(['b', 'c', 'd'])
  const upwards = extendChoice(toggleChoice(b, 'e'), 'c', order)
  expect([...upwards.names].toSorted()).toEqual(['b', 'c', 'd', 'e'])
})

test('without a row to begin at, a range is one row', () => {
  expect([...extendChoice(noRows, 'c', order).names]).toEqual(['c'])
})
