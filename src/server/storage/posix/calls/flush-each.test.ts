import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, test, expect } from 'vitest'
import { createFlushEach } from './flush-each.ts'
import { loadKernel } from './kernel.ts'

const loaded = await loadKernel()
const flushEach = loaded === null ? null : createFlushEach(loaded)

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

test.skipIf(flushEach === null).each([[0], [1], [16], [17], [40]])('%i files are flushed', (count) => {
  expect(flushEach?.(opened(count))).toEqual(Array.from({ length: count }, () => null))
})

test.skipIf(flushEach === null).each([[0], [3], [19]])(
  'the %ith, which is not open, fails alone',
  (which) => {
    const files = opened(20)
    files[which] = 1_000_000
    const codes = flushEach?.(files).map((error) =>
      error === null ? 'flushed' : 'code' in error && error.code,
    )
    expect(codes).toEqual(files.map((_, at) => (at === which ? 'EBADF' : 'flushed')))
  },
)
