import { expect, test } from 'vitest'
import { leaseOf } from './bytes/lease.ts'
import { createPatientCalls } from './bytes/patient-calls.ts'
import { createFolderFlushes } from './writing.ts'

const calls = createPatientCalls({ most: 4, deadlineMs: 60_000 })
const folder = (descriptor: number) => ({ descriptor, calls, lease: leaseOf(async () => undefined) })

/** Flushes that end when they are told to, in order. */
function world() {
  const begun: { readonly handle: number; readonly end: (error?: Error) => void }[] = []
  const flushes = createFolderFlushes(({ descriptor: handle }: ReturnType<typeof folder>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    begun.push({ handle, end: (error) => (error === undefined ? resolve() : reject(error)) })
    return promise
  })

  return { begun, flushes }
}

test('who comes while a folder is flushed shares the flush after it, and never the one that runs', async () => {
  const { begun, flushes } = world()
  const first = flushes('a', folder(1))
  const others = [2, 3, 4].map((handle) => flushes('a', folder(handle)))
  expect(begun.map(({ handle }) => handle)).toEqual([1])
  begun[0]?.end()
  await first
  await expect.poll(() => begun.map(({ handle }) => handle)).toEqual([1, 2])
  const late = flushes('a', folder(5))
  begun[1]?.end()
  await Promise.all(others)
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  await late
  void flushes('a', folder(6))
  expect(begun.map(({ handle }) => handle)).toEqual([1, 2, 5, 6])
})

test('folders do not wait for each other', () => {
  const { begun, flushes } = world()
  void flushes('a', folder(1))
  void flushes('b', folder(2))
  expect(begun.map(({ handle }) => handle)).toEqual([1, 2])
})

test('a flush that fails fails those who share it, and not the next one', async () => {
  const { begun, flushes } = world()
  const first = flushes('a', folder(1))
  const second = flushes('a', folder(2))
  const third = flushes('a', folder(3))
  begun[0]?.end(new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end(new Error('ENOSPC'))
  await expect(second).rejects.toThrow('ENOSPC')
  await expect(third).rejects.toThrow('ENOSPC')
  const fourth = flushes('a', folder(4))
  begun[2]?.end()
  await fourth
})
