import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

export const manyNames = 1_000_000
/**
 * One in 5000 names matches `needle`. This gives enough hits to measure when the first hit arrives, and too few for the
 * cost of the hits to matter.
 */
const namesPerNeedle = 5000
const filesPerFolder = 50
const foldersPerArea = 100

/** Creates a million empty files in 20,000 folders on two levels. Some names contain the search term. */
export function makeEmptyFiles(folder: string): void {
  for (let first = 0; first < manyNames; first += filesPerFolder) {
    const project = first / filesPerFolder
    const areaFolder = path.join(folder, `area-${Math.floor(project / foldersPerArea)}`)
    const innerFolder = path.join(areaFolder, `project ${project}`)
    mkdirSync(innerFolder, { recursive: true })
    for (let n = first; n < first + filesPerFolder; n += 1) {
      const word = n % namesPerNeedle === namesPerNeedle / 2 ? 'Needle' : 'Entry'
      closeSync(openSync(path.join(innerFolder, `${word} ${n} of many.${n % 3 === 0 ? 'txt' : 'jpg'}`), 'w'))
    }
  }
}

const mebi = 1 << 20
const smallFiles = 100_000
const smallestBytes = 1024
const largestBytes = 40 * 1024
const largeFiles = 16
const largeBytes = 512 * mebi

/** Creates about 10 GiB of files: 100,000 small files and 16 large files, with bytes that cannot be compressed. */
export function makeMixedFiles(folder: string): void {
  const noise = randomFillSync(Buffer.alloc(64 * mebi))
  for (let n = 0; n < smallFiles; n += 1) {
    const innerFolder = path.join(
      folder,
      'small',
      `part ${Math.floor(n / 1000)}`,
      `set ${Math.floor(n / 100)}`,
    )
    if (n % 100 === 0) mkdirSync(innerFolder, { recursive: true })
    const sizeBytes = smallestBytes + ((n * 7919) % (largestBytes - smallestBytes))
    const from = (n * 4099) % (noise.length - sizeBytes)
    write(path.join(innerFolder, `file ${n}.bin`), [noise.subarray(from, from + sizeBytes)])
  }
  mkdirSync(path.join(folder, 'large'))
  const blocks = Array.from({ length: largeBytes / noise.length }, () => noise)
  for (let n = 0; n < largeFiles; n += 1) write(path.join(folder, 'large', `film ${n}.bin`), blocks)
}

function write(file: string, blocks: readonly Uint8Array[]): void {
  const descriptor = openSync(file, 'w')
  for (const block of blocks)
    for (let project = 0; project < block.length; project += mebi)
      writeSync(descriptor, block.subarray(project, project + mebi))
  closeSync(descriptor)
}
