import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const modulePath = fileURLToPath(new URL('own-memory.ts', import.meta.url))

/**
 * This program prints the memory before and after it fills a buffer of 64 MiB, and the resident set size in the end. It
 * has a process of its own, because in the process of the tests memory of other tests is released in the meantime.
 */
const program = `
  import { ownMemoryBytes } from ${JSON.stringify(modulePath)}
  const before = ownMemoryBytes()
  const filled = Buffer.alloc(64 * 1024 * 1024, 1)
  const after = ownMemoryBytes()
  console.log(JSON.stringify({ before, after, residentBytes: process.memoryUsage.rss(), last: filled.at(-1) }))
`

test('allocated memory is counted, and the result is at most the resident set size', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const { before, after, residentBytes } = JSON.parse(stdout)
  expect(after - before).toBeGreaterThan(32 * 1024 * 1024)
  expect(before).toBeLessThanOrEqual(residentBytes)
})
