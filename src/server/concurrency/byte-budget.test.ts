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
