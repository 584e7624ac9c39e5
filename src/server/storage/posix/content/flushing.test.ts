import { expect, test } from 'vitest'
import { createLease } from './lease.ts'
import { createDeadlineCalls } from './deadline-calls.ts'
import { createFolderFlushes } from './flushing.ts'

const calls = createDeadlineCalls({ maxConcurrent: 4, deadlineMs: 60_000 })
const folder = (descriptor: number) => ({ descriptor, calls, lease: createLease(async () => undefined) })

/**
 * Creates a flusher whose flushes end only when the test ends them. `begun` contains the flushes in the order in which
 * they began.
 */
function createManualFlusher() {
  const begun: { readonly handle: number; readonly end: (error?: Error) => void }[] = []
  const flushes = createFolderFlushes(({ descriptor: handle }: ReturnType<typeof folder>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    begun.push({ handle, end: (error) => (error === undefined ? resolve() : reject(error)) })
    return promise
  })

  return { begun, flushes }
}

test('callers that arrive during a flush of a folder share the next flush instead of the running one', async () => {
  const { begun, flushes } = createManualFlusher()
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

test('flushes of different folders do not wait for each other', () => {
  const { begun, flushes } = createManualFlusher()
  void flushes('a', folder(1))
  void flushes('b', folder(2))
  expect(begun.map(({ handle }) => handle)).toEqual([1, 2])
})

test('a failed flush fails all callers that share it, but not the next flush', async () => {
  const { begun, flushes } = createManualFlusher()
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
