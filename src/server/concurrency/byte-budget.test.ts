import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

test('a key and all keys together hold no more than their bytes, and bytes that were given back can be taken again', () => {
  const budget = createByteBudget({ totalBytes: 25, bytesPerKey: 10 })
  const release = budget.take('ann', 6)
  budget.take('ann', 4)
  expect(() => budget.take('ann', 1)).toThrow('overloaded')
  budget.take('ben', 10)
  expect(() => budget.take('cyn', 6)).toThrow('overloaded')
  budget.take('cyn', 5)
  release()
  release()
  expect(() => budget.take('ann', 7)).toThrow('overloaded')
  budget.take('ann', 6)
})

test('a reservation grows within the same bytes, and gives all of them back', () => {
  const budget = createByteBudget({ totalBytes: 25, bytesPerKey: 10 })
  const release = budget.take('ann', 3)
  const reservation = budget.reserve('ann')
  reservation.add(4)
  reservation.add(3)
  expect(() => reservation.add(1)).toThrow('overloaded')
  expect(() => reservation.add(4)).toThrow('too-large')
  expect(() => budget.take('ann', 1)).toThrow('overloaded')
  reservation.release()
  reservation.release()
  expect(() => budget.take('ann', 8)).toThrow('overloaded')
  release()
  reservation.add(10)
  expect(() => budget.reserve('ann').add(1)).toThrow('overloaded')
})
