import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

export const manyNames = 1_000_000
/**
 * One in 5000 names matches `needle`. This gives enough hits to measure when the first hit arrives, and too few for the
 * cost of the hits to matter.
 */
const oneInNeedles = 5000
const filesAFolder = 50
const foldersAFolder = 100

/** Creates a million empty files in 20,000 folders on two levels. Some names contain the search term. */
export function makeNames(folder: string): void {
  for (let made = 0; made < manyNames; made += filesAFolder) {
    const at = made / filesAFolder
    const above = path.join(folder, `area-${Math.floor(at / foldersAFolder)}`)
    const inside = path.join(above, `project ${at}`)
    mkdirSync(inside, { recursive: true })
    for (let n = made; n < made + filesAFolder; n += 1) {
      const word = n % oneInNeedles === oneInNeedles / 2 ? 'Needle' : 'Entry'
      closeSync(openSync(path.join(inside, `${word} ${n} of many.${n % 3 === 0 ? 'txt' : 'jpg'}`), 'w'))
    }
  }
}

const mebi = 1 << 20
const smallFiles = 100_000
const smallestBytes = 1024
const largestBytes = 40 * 1024
const largeFiles = 16
const largeBytes = 512 * mebi

/** Creates about 10 GiB of files: 100,000 small ones and 16 large ones, with bytes that do not compress. */
export function makeMixed(folder: string): void {
  const noise = randomFillSync(Buffer.alloc(64 * mebi))
  for (let n = 0; n < smallFiles; n += 1) {
    const inside = path.join(folder, 'small', `part ${Math.floor(n / 1000)}`, `set ${Math.floor(n / 100)}`)
    if (n % 100 === 0) mkdirSync(inside, { recursive: true })
    const sizeBytes = smallestBytes + ((n * 7919) % (largestBytes - smallestBytes))
    const from = (n * 4099) % (noise.length - sizeBytes)
    write(path.join(inside, `file ${n}.bin`), [noise.subarray(from, from + sizeBytes)])
  }
  mkdirSync(path.join(folder, 'large'))
  const blocks = Array.from({ length: largeBytes / noise.length }, () => noise)
  for (let n = 0; n < largeFiles; n += 1) write(path.join(folder, 'large', `film ${n}.bin`), blocks)
}

function write(file: string, blocks: readonly Uint8Array[]): void {
  const descriptor = openSync(file, 'w')
  for (const block of blocks)
    for (let at = 0; at < block.length; at += mebi) writeSync(descriptor, block.subarray(at, at + mebi))
  closeSync(descriptor)
}
