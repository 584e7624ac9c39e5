import { expect, test } from 'vitest'
import { ownMemoryBytes } from './own-memory.ts'

test('allocated memory is counted, and the result is at most the resident set size', () => {
  const before = ownMemoryBytes()
  const filled = Buffer.alloc(64 * 1024 * 1024, 1)
  const after = ownMemoryBytes()
  expect(after - before).toBeGreaterThan(32 * 1024 * 1024)
  expect(filled[1]).toBe(1)
  expect(before).toBeLessThanOrEqual(process.memoryUsage.rss())
})
