import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

const blockBytes = 1024 * 1024

/**
 * Creates a folder of empty files with consecutive names, which start at `entry-0000000.txt`. The function blocks the
 * event loop; 100,000 files take one to two seconds.
 */
export function makeBigFolder(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < count; n += 1) {
    closeSync(openSync(path.join(folder, `entry-${String(n).padStart(7, '0')}.txt`), 'w'))
  }
}

/**
 * Creates a large file of pseudo-random blocks of 1 MiB. The blocks differ only in their first eight bytes, which
 * contain the offset of the block. Compressors with a window below 1 MiB therefore cannot compress the file. The
 * function blocks the event loop.
 */
export function makeLargeFile(file: string, sizeBytes: number): void {
  const block = Buffer.alloc(blockBytes)
  let seed = 1
  for (let offset = 0; offset < blockBytes; offset += 4) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    block.writeUInt32LE(seed, offset)
  }
  const target = openSync(file, 'w')
  for (let offset = 0; offset < sizeBytes; offset += blockBytes) {
    block.writeDoubleLE(offset, 0)
    writeSync(target, block)
  }
  ftruncateSync(target, sizeBytes)
  closeSync(target)
}
