import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { collectGarbageOnGrowth, garbageCollector } from './garbage.ts'

const mebibyte = 1024 * 1024
const { memoryUsage } = process

/** Uses 24 MiB, to which nothing refers afterwards. */
function dropSharedMemory(): void {
  for (let n = 0; n < 24; n += 1) Buffer.from(new SharedArrayBuffer(mebibyte))
}

test('the collector frees unreferenced objects', () => {
  const collect = garbageCollector()
  let large: readonly object[] | null = Array.from({ length: 500_000 }, (_, n) => ({ n }))
  const before = memoryUsage().heapUsed
  expect(large.length).toBe(500_000)
  large = null
  collect()
  expect(memoryUsage().heapUsed).toBeLessThan(before - 5 * mebibyte)
})

test('shared memory and objects that nothing refers to any more are freed while the thread works', async () => {
  let released = 0
  onTestFinished(collectGarbageOnGrowth(() => (released += 1)))
  await expect.poll(() => released).toBe(1)
  const before = memoryUsage()
  dropSharedMemory()
  expect(memoryUsage().arrayBuffers).toBeGreaterThan(before.arrayBuffers + 20 * mebibyte)
  await expect.poll(() => memoryUsage().arrayBuffers).toBeLessThan(before.arrayBuffers + 8 * mebibyte)
})

test('nothing is collected after the end', async () => {
  let released = 0
  const stop = collectGarbageOnGrowth(() => (released += 1))
  await expect.poll(() => released).toBe(1)
  stop()
  dropSharedMemory()
  await pause(1300)
  expect(released).toBe(1)
})

/** Lets a thread use and drop 64 MiB, a piece at a time, and prints what it holds at most in the second half. */
const program = `
  import { createThreadPool } from ${JSON.stringify(new URL('./thread-pool.ts', import.meta.url).href)}
  const entry = new URL(${JSON.stringify(new URL('../../../test/kit/pool-tasks.ts', import.meta.url).href)})
  const pool = createThreadPool({ entry, size: 1 })
  let most = 0
  for (let n = 0; n < 64; n += 1) {
    const held = await pool.run('share', { length: 1024 * 1024 })
    if (n >= 32) most = Math.max(most, held)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  process.stdout.write(String(most))
`

test.each([
  ['of a process with little memory frees its garbage early', ['--max-semi-space-size=1'], 0, 28],
  ['of another process leaves it to V8', [], 32, 128],
])('a thread %s', (_name, options, least, most) => {
  const { stdout } = spawnSync(process.execPath, [...options, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(Number(stdout) / mebibyte).toBeGreaterThan(least)
  expect(Number(stdout) / mebibyte).toBeLessThan(most)
})
