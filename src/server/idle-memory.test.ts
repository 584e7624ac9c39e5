import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createIdleGarbageCollector, createTransferGarbageCollector } from './idle-memory.ts'

const megabyte = 1e6

/**
 * Creates a fake process whose resident set is set by the test. A release of memory reduces the resident set.
 */
function fakeProcess({ isBusy = (): boolean => false, secondMs = 60 } = {}) {
  const state = { residentBytes: 100 * megabyte, releases: 0 }
  const memory = createIdleGarbageCollector({
    isBusy,
    residentBytes: () => state.residentBytes,
    collectGarbage: () => (state.releases += 1),
    trimHeap: () => (state.residentBytes = 110 * megabyte),
    idleTimesMs: [20, secondMs],
  })
  return { state, memory }
}

test('the memory of a burst of requests is returned when no more requests arrive', async () => {
  const { state, memory } = fakeProcess()
  state.residentBytes = 300 * megabyte
  memory.noteWork()
  await expect.poll(() => state.releases).toBeGreaterThan(0)
  expect(state.residentBytes).toBe(110 * megabyte)
})

test('what threads and caches held at the first release is returned by a second one, without any growth', async () => {
  const { state, memory } = fakeProcess()
  state.residentBytes = 300 * megabyte
  memory.noteWork()
  await expect.poll(() => state.releases).toBe(2)
})

test('a small response before the second release only delays it', async () => {
  const { state, memory } = fakeProcess({ secondMs: 600 })
  state.residentBytes = 300 * megabyte
  memory.noteWork()
  await expect.poll(() => state.releases).toBe(1)
  memory.noteWork()
  await expect.poll(() => state.releases).toBe(2)
})

test('a small response after the second release does not start another one', async () => {
  const { state, memory } = fakeProcess()
  state.residentBytes = 300 * megabyte
  memory.noteWork()
  await expect.poll(() => state.releases).toBe(2)
  memory.noteWork()
  await pause(150)
  expect(state.releases).toBe(2)
})

test('a small response does not start a collection', async () => {
  const { state, memory } = fakeProcess()
  state.residentBytes = 101 * megabyte
  memory.noteWork()
  await pause(150)
  expect(state.releases).toBe(0)
})

test('nothing is collected while a client waits for a response', async () => {
  let isBusy = true
  const { state, memory } = fakeProcess({ isBusy: () => isBusy })
  state.residentBytes = 300 * megabyte
  let looks = 0
  memory.noteWork()
  await expect.poll(() => (looks += 1)).toBeGreaterThan(3)
  expect(state.releases).toBe(0)
  isBusy = false
  await expect.poll(() => state.releases).toBeGreaterThan(0)
})

test('the buffers of transferred bytes are freed after 4 MiB, and all free memory after 32 MiB', () => {
  const calls: string[] = []
  const note = createTransferGarbageCollector({
    collectNewGarbage: () => calls.push('new'),
    releaseMemory: () => calls.push('all'),
  })
  for (let transferred = 0; transferred < 64; transferred += 1) note(1024 * 1024)
  expect(calls.filter((call) => call === 'all')).toHaveLength(2)
  expect(calls.filter((call) => call === 'new')).toHaveLength(14)
})
