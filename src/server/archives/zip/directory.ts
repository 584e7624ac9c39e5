import { directoryEnd } from './zip-records.ts'

/** The rows of the members, kept until all bytes are written. */
export type Directory = {
  add(row: Uint8Array): void
  /** All rows and the end of the file; `offset` is where the first of them will stand. */
  close(offset: number): Iterable<Uint8Array>
}

/** Rows share buffers of this size: one for each would cost more than the row. */
const bufferBytes = 128 * 1024

export function createDirectory(): Directory {
  const full: Uint8Array[] = []
  let buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let usedBytes = 0
  let sizeBytes = 0
  let rows = 0
  return {
    add(row) {
      if (usedBytes + row.length > buffer.length) {
        full.push(buffer.subarray(0, usedBytes))
        buffer = Buffer.allocUnsafeSlow(Math.max(bufferBytes, row.length))
        usedBytes = 0
      }
      buffer.set(row, usedBytes)
      usedBytes += row.length
      sizeBytes += row.length
      rows += 1
    },
    close: (offset) => [...full, buffer.subarray(0, usedBytes), directoryEnd({ rows, sizeBytes, offset })],
  }
}
