/** A set of paths and of the folders above them, in memory of a fixed size. */
export type SharedPathFilter = {
  /** Adds an encoded path and all folders above it. */
  readonly add: (path: string) => void
  /** Returns false for an encoded path that was not added. Returns true for the others, and rarely for one that was not added. */
  readonly mayContain: (path: string) => boolean
}

/**
 * The number of bits. With 100,000 paths and folders, one of ten other paths is taken for one of them, which costs a
 * query that finds nothing.
 */
const bits = 1 << 20

/** The start value and the factor of the 32-bit FNV-1a hash (RFC 9923). */
const [hashStart, hashFactor] = [0x811c9dc5, 0x01000193]

/** Creates an empty filter of 128 KiB. */
export function createSharedPathFilter(): SharedPathFilter {
  const words = new Uint32Array(bits / 32)
  const bitOf = (hash: number): number => (hash >>> 0) % bits
  const set = (hash: number): void => {
    const bit = bitOf(hash)
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  return {
    add: (path) => set(hashOf(path, set)),
    mayContain(path) {
      const bit = bitOf(hashOf(path, () => {}))
      return ((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
    },
  }
}

/** Returns the hash of a path. `onFolder` is called with the hash of each folder above it. */
function hashOf(path: string, onFolder: (hash: number) => void): number {
  let hash = hashStart
  // The root is the empty text here, so that it is above all other paths.
  const length = path === '/' ? 0 : path.length
  for (let index = 0; index < length; index += 1) {
    const unit = path.charCodeAt(index)
    if (unit === slash) onFolder(hash)
    hash = Math.imul(hash ^ unit, hashFactor)
  }
  return hash
}

const slash = 0x2f
