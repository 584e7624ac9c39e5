import { flagFolder, idAt, type ListingColumns } from '../rows/columns.ts'

/** The constants of the hash FNV-1a with 32 bits (RFC 9923, section 5). */
const fnvOffset = 0x811c_9dc5
const fnvPrime = 0x0100_0193

/**
 * Returns a number that another name, size or time of a file changes, and another order of the rows does not. Folders do not count. Two
 * versions of a folder have the same number only by accident.
 */
export function versionOfFiles(columns: ListingColumns): number {
  let version = 0
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (((columns.flags[id] ?? 0) & flagFolder) !== 0) continue
    const start = columns.nameStart[id] ?? 0
    const end = start + (columns.nameBytes[id] ?? 0)
    let hash = fnvOffset
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (columns.names[at] ?? 0), fnvPrime)
    // The operators use the lowest 32 bits of a number.
    hash = Math.imul(hash ^ (columns.sizes[id] ?? 0), fnvPrime)
    hash = Math.imul(hash ^ (columns.modified[id] ?? 0), fnvPrime)
    version = (version + hash) >>> 0
  }
  return version
}
