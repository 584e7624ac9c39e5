import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

const blockBytes = 1024 * 1024

/** A folder of many empty files, `entry-0000000.txt` onwards. Blocking: 100,000 take a second or two. */
export function makeBigFolder(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < count; n += 1) {
    closeSync(openSync(path.join(folder, `entry-${String(n).padStart(7, '0')}.txt`), 'w'))
  }
}

/** A file of bytes that do not compress to nothing and differ from block to block. Blocking. */
export function makeLargeFile(file: string, sizeBytes: number): void {
  const block = Buffer.alloc(blockBytes)
  let seed = 1
  for (let at = 0; at < blockBytes; at += 4) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    block.writeUInt32LE(seed, at)
  }
  const target = openSync(file, 'w')
  for (let at = 0; at < sizeBytes; at += blockBytes) {
    block.writeDoubleLE(at, 0)
    writeSync(target, block)
  }
  ftruncateSync(target, sizeBytes)
  closeSync(target)
}
