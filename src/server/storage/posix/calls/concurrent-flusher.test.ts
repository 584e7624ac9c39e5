import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createConcurrentFlusher } from './concurrent-flusher.ts'
import type { ConcurrentFlusher } from './file-system-calls.ts'
import { loadKernel } from './kernel.ts'

const loaded = await loadKernel()
const isSupported = loaded !== null && createConcurrentFlusher(loaded) !== null
/** A system call number that does not exist, so the kernel rejects the call. */
const noCall = 100_000

/** Creates the flush function for a kernel that rejects some system calls. */
function flushFilesWithout(
  ...refused: readonly ('ioSetup' | 'ioSubmit' | 'ioGetevents')[]
): ConcurrentFlusher | null {
  if (loaded === null) return null
  const numbers = Object.fromEntries(refused.map((name) => [name, noCall]))
  return createConcurrentFlusher({ ...loaded, number: { ...loaded.number, ...numbers } })
}

/** Returns the number of asynchronous requests that the AIO contexts of all processes reserve. */
const contextsInUse = (): number => Number(readFileSync('/proc/sys/fs/aio-nr', 'utf8'))

/** Creates `count` files and returns their open descriptors. */
function opened(count: number): number[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-flush-each-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return Array.from({ length: count }, (_, at) => {
    const file = openSync(path.join(folder, `${at}`), 'wx')
    onTestFinished(() => closeSync(file))
    return file
  })
}

describe.skipIf(!isSupported)('files are flushed concurrently', () => {
  test.each([[0], [1], [16], [17], [40]])('%i files are all flushed', (count) => {
    expect(flushFilesWithout()?.flush(opened(count))).toEqual(Array.from({ length: count }, () => null))
  })

  describe.each([[[]], [['ioSubmit']], [['ioGetevents']]] as const)(
    'while the kernel refuses these calls: %j',
    (refused) => {
      test.each([[0], [3], [19]])('only file %i, which is not open, fails', (which) => {
        const flushFiles = flushFilesWithout(...refused)
        const files = opened(20)
        files[which] = 1_000_000
        for (let time = 0; time < 3; time += 1) {
          const codes = flushFiles
            ?.flush(files)
            .map((error) => (error === null ? 'flushed' : 'code' in error && error.code))
          expect(codes).toEqual(files.map((_, at) => (at === which ? 'EBADF' : 'flushed')))
        }
      })
    },
  )

  test('contexts that were released do not use up what the kernel allows (fs.aio-max-nr)', () => {
    const before = contextsInUse()
    for (let time = 0; time < 20; time += 1) flushFilesWithout()?.release()
    expect(contextsInUse() - before).toBeLessThan(160)
  })

  test('there is no such object where the kernel lacks the calls', () => {
    expect(flushFilesWithout('ioSetup')).toBeNull()
  })
})
