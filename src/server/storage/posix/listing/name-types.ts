import { fileTypes, typeOfName } from '../../../../shared/domain/file-kind.ts'
import { nameAt, type PackedNames } from '../calls/packed-names.ts'

/** Replaces the index into `fileTypes` for a file whose type can only be determined from its first bytes. */
export const unclear = 255

/**
 * Cache of types by extension, keyed by the extension's bytes read as one number. Creating a string for each name would
 * be slow, and most folders contain few different extensions.
 */
const cachedTypes = new Map<number, number>()
const maxCachedTypes = 4096
const mostBytes = 6
const dot = 46

/** Returns the type that a name implies, as an index into `fileTypes`, or `unclear`. */
export function typeByName(names: PackedNames, index: number): number {
  const key = extensionKey(names, index)
  const cached = key === 0 ? undefined : cachedTypes.get(key)
  if (cached !== undefined) return cached
  const type = typeOfName(nameAt(names, index))
  const value = type === null ? unclear : fileTypes.indexOf(type)
  if (key === 0) return value
  if (cachedTypes.size >= maxCachedTypes) cachedTypes.clear()
  cachedTypes.set(key, value)
  return value
}

/** Returns the cache key of a name's extension, or 0 when the name has no extension or one that is too long. */
function extensionKey({ bytes, starts }: PackedNames, index: number): number {
  const start = starts[index] as number
  const end = (starts[index + 1] as number) - 1
  const least = Math.max(start, end - mostBytes - 1)
  let key = 1
  for (let at = end - 1; at >= least; at -= 1) {
    const byte = bytes[at] as number
    if (byte === dot) return key
    key = key * 256 + byte
  }
  return 0
}
