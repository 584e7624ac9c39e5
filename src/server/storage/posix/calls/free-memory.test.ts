import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const modulePath = fileURLToPath(new URL('kernel.ts', import.meta.url))
const report = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
const hasGlibc = report.header.glibcVersionRuntime !== undefined

const megabyte = 1e6

/**
 * This program hashes a password, and then a thread uses 36 MB in blocks of 90 KB. It prints the growth of the resident
 * set after the thread has ended and free memory was released. It has a process of its own, because the thresholds of a
 * C library hold for the whole process and cannot be reset.
 */
const program = (start: string): string => `
  import { argon2Sync } from 'node:crypto'
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  import { limitFreeMemory, loadHeapTrim } from ${JSON.stringify(modulePath)}
  const trim = await loadHeapTrim()
  const runThread = (code) => once(new Worker(code, { eval: true }), 'exit')
  await runThread('')
  ${start}
  argon2Sync('argon2id', {
    message: 'password', nonce: Buffer.alloc(16), parallelism: 1, memory: 19_456, passes: 1, tagLength: 32,
  })
  const before = process.memoryUsage.rss()
  await runThread('globalThis.kept = Array.from({ length: 400 }, () => Buffer.alloc(90_000, 1))')
  trim()
  console.log(process.memoryUsage.rss() - before)
`

async function growthAfterThread(start: string): Promise<number> {
  const args = ['--input-type=module', '--eval', program(start)]
  return Number((await promisify(execFile)(process.execPath, args)).stdout)
}

test.runIf(hasGlibc)(
  'memory that a thread has freed goes back to the system, also after a password hash',
  async () => {
    expect(await growthAfterThread('await limitFreeMemory()')).toBeLessThan(20 * megabyte)
  },
)
