import { directoryEnd } from './zip-records.ts'

/**
 * The central directory of a zip file. It has one row per member and is kept in memory until all members are written.
 */
export type CentralDirectory = {
  add(row: Uint8Array): void
  /**
   * Returns all rows, followed by the record that ends the zip file. `offset` is the position of the first row in the
   * file, in bytes.
   */
  close(offset: number): Iterable<Uint8Array>
}

/**
 * Size in bytes of a buffer that many rows share. A separate buffer for each row would need more memory than the row
 * itself.
 */
const bufferBytes = 128 * 1024

export function createCentralDirectory(): CentralDirectory {
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
