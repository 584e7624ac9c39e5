import { expect, test } from 'vitest'
import { UsageError } from '../config/usage-error.ts'
import { heapMiBOf, processCountOf } from './process-count.ts'

const gibibyte = 1024 ** 3
const large = { processors: 16, memoryBytes: 64 * gibibyte }

test.each([
  ['two processors', { processors: 2, memoryBytes: 8 * gibibyte }, 2],
  ['many processors', large, 4],
  ['little memory', { processors: 8, memoryBytes: 1.2 * gibibyte }, 2],
  ['very little memory', { processors: 8, memoryBytes: 0.3 * gibibyte }, 1],
])('auto on a machine with %s', (_case, machine, expected) => {
  expect(processCountOf({ processes: 'auto', socket: '' }, machine)).toBe(expected)
})

test('a number is taken as it is, and a unix socket belongs to one process', () => {
  const one = { processors: 1, memoryBytes: gibibyte }
  expect(processCountOf({ processes: 3, socket: '' }, one)).toBe(3)
  expect(processCountOf({ processes: 'auto', socket: '/run/s' }, large)).toBe(1)
  expect(processCountOf({ processes: 1, socket: '/run/s' }, large)).toBe(1)
  expect(() => processCountOf({ processes: 2, socket: '/run/s' }, large)).toThrow(UsageError)
})

test('processes have together the heap of one, and each has enough', () => {
  expect(heapMiBOf(2) * 2).toBeLessThanOrEqual(Math.max(heapMiBOf(1), 512))
  expect(heapMiBOf(1000)).toBe(256)
})
