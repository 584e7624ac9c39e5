import { expect, test } from 'vitest'
import { mostPoolThreads, nodeOptionsFor } from '../../../bin/memory-limit.js'
import { fullBudget, memoryBudgetOf } from './memory-budget.ts'

const mebibyte = 1024 * 1024
const limits = [64, 128, 160, 192, 256, 384, 512, 768, 1023].map((size) => size * mebibyte)

test('a server with enough memory has the full budget', () => {
  expect(memoryBudgetOf(1024 * mebibyte)).toBe(fullBudget)
  expect(memoryBudgetOf(Number.POSITIVE_INFINITY)).toBe(fullBudget)
})

test('less memory never gives a part of the server more', () => {
  const budgets = [...limits.map(memoryBudgetOf), fullBudget]
  for (const key of Object.keys(fullBudget) as (keyof typeof fullBudget)[]) {
    if (
      ['isSmall', 'mallocArenas', 'idleThreadCheckMs', 'converterBytes', 'convertedImageBytes'].includes(key)
    )
      continue
    const values = budgets.map((budget) => Number(budget[key]))
    expect([key, ...values]).toEqual([key, ...values.toSorted((a, b) => a - b)])
    expect(values[0]).toBeGreaterThan(0)
  }
})

test.each(limits)('all processes that convert images take at most a third of %d bytes', (bytes) => {
  const { converters, converterBytes, convertedImageBytes } = memoryBudgetOf(bytes)
  expect(converters * converterBytes).toBeLessThanOrEqual(bytes / 3)
  expect(convertedImageBytes).toBeLessThan(converterBytes)
})

test('a container of 128 MiB has room for a photograph of 12 megapixels', () => {
  expect(memoryBudgetOf(128 * mebibyte).converterBytes).toBeGreaterThan(35e6)
})

test('Node starts with a small heap and a small pool of threads where memory is small', () => {
  expect(nodeOptionsFor(128 * mebibyte, [])).toEqual(['--max-semi-space-size=1', '--v8-pool-size=1'])
  expect(nodeOptionsFor(128 * mebibyte, ['--max-semi-space-size=4'])).toEqual(['--v8-pool-size=1'])
  expect(nodeOptionsFor(1024 * mebibyte, [])).toEqual([])
  expect(mostPoolThreads(128 * mebibyte)).toBe(8)
  expect(mostPoolThreads(1024 * mebibyte)).toBe(Number.POSITIVE_INFINITY)
})
