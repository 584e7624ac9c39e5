import type { OpenFile } from '../storage/port.ts'

const sizeBytes = 64 * 1024

/**
 * Returns a file of 64 KiB that is in memory: the word `stowage` and a space again and again. Proxies compress it, where they
 * compress files.
 */
export function testFile(): OpenFile {
  const whole = Buffer.alloc(sizeBytes, 'stowage ')
  return {
    entry: { name: 'test.txt', kind: 'file', sizeBytes, modifiedMs: 0, mode: 0o100644, etag: 'doctor' },
    whole,
    async *bytes({ start, end }) {
      yield whole.subarray(start, end)
    },
    close: () => Promise.resolve(),
  }
}
