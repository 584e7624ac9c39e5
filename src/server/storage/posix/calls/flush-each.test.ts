import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFlushEach, type FlushEach } from './flush-each.ts'
import { loadKernel } from './kernel.ts'

const loaded = await loadKernel()
const isThere = loaded !== null && createFlushEach(loaded) !== null
/** No call has it, so the kernel refuses it. */
const noCall = 100_000

/** Flushes by a kernel that refuses some of its calls. */
function flushEachWithout(...refused: readonly ('ioSetup' | 'ioSubmit' | 'ioGetevents')[]): FlushEach | null {
  if (loaded === null) return null
  const numbers = Object.fromEntries(refused.map((name) => [name, noCall]))
  return createFlushEach({ ...loaded, number: { ...loaded.number, ...numbers } })
}

/** Open files, so many. */
function opened(count: number): number[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-flush-each-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return Array.from({ length: count }, (_, at) => {
    const file = openSync(path.join(folder, `${at}`), 'wx')
    onTestFinished(() => closeSync(file))
    return file
  })
}

describe.skipIf(!isThere)('files are flushed side by side', () => {
  test.each([[0], [1], [16], [17], [40]])('%i of them', (count) => {
    expect(flushEachWithout()?.(opened(count))).toEqual(Array.from({ length: count }, () => null))
  })

  describe.each([[[]], [['ioSubmit']], [['ioGetevents']]] as const)(
    'where these are refused: %j',
    (refused) => {
      test.each([[0], [3], [19]])('the %ith, which is not open, fails alone', (which) => {
        const flushEach = flushEachWithout(...refused)
        const files = opened(20)
        files[which] = 1_000_000
        for (let time = 0; time < 3; time += 1) {
          const codes = flushEach?.(files).map((error) =>
            error === null ? 'flushed' : 'code' in error && error.code,
          )
          expect(codes).toEqual(files.map((_, at) => (at === which ? 'EBADF' : 'flushed')))
        }
      })
    },
  )

  test('not where the kernel knows no such thing', () => {
    expect(flushEachWithout('ioSetup')).toBeNull()
  })
})
