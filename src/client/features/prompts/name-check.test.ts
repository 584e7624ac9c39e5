import { expect, test } from 'vitest'
import { checkName } from './name-check.ts'

const isTaken = (name: string): boolean => name === 'taken.txt'

test.each([
  ['  a  ', 'a', true, null],
  ['', '', false, null],
  ['   ', '', false, null],
  ['a/b', 'a/b', false, 'name.slash'],
  ['..', '..', false, 'name.dots'],
  ['a\u0007b', 'a\u0007b', false, 'name.control'],
  ['é'.repeat(127), 'é'.repeat(127), true, null],
  ['é'.repeat(128), 'é'.repeat(128), false, 'name.too-long'],
  ['taken.txt', 'taken.txt', false, 'name.taken'],
  [' taken.txt ', 'taken.txt', false, 'name.taken'],
  ['Taken.txt', 'Taken.txt', true, null],
  ['old.txt', 'old.txt', false, null],
])('typed %j: name %j, allowed %j, said %j', (typed, ...expected) => {
  const { name, isAllowed, error } = checkName(typed, { isTaken, old: 'old.txt' })
  expect([name, isAllowed, error]).toEqual(expected)
})
