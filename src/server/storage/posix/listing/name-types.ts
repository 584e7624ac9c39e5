import { createBoundedMap } from '../../../concurrency/bounded-map.ts'
import { typeOfName } from '../../../../shared/domain/file-kind.ts'
import { fileTypes } from '../../../../shared/domain/file-types.ts'
import { nameAt, type PackedNames } from '../calls/packed-names.ts'

/**
 * This value replaces an index into `fileTypes` when the type of a file can only be determined from its first bytes.
 */
export const undeterminedType = 255

/**
 * Cache of file types. The key is the file name extension, whose bytes are read as one number. Creating a string for
 * each name would be slow, and most folders contain few different extensions.
 */
const cachedTypes = createBoundedMap<number, number>(4096)
/**
 * Maximum length of a cached extension in bytes. The bytes of a longer extension do not fit into a number without loss.
 */
const maxExtensionBytes = 6
/** Character code of `.`. */
const dot = 46

/**
 * Returns the file type that follows from a name, as an index into `fileTypes`. Returns `undeterminedType` when the
 * name does not determine the type.
 */
export function typeByName(names: PackedNames, index: number): number {
  const key = extensionKey(names, index)
  const cached = key === 0 ? undefined : cachedTypes.get(key)
  if (cached !== undefined) return cached
  const type = typeOfName(nameAt(names, index))
  const value = type === null ? undeterminedType : fileTypes.indexOf(type)
  if (key === 0) return value
  cachedTypes.set(key, value)
  return value
}

/**
 * Returns the cache key for the extension of a name, or 0 when the name has no extension or the extension is too long.
 */
function extensionKey({ bytes, starts }: PackedNames, index: number): number {
  const start = starts[index] as number
  const end = (starts[index + 1] as number) - 1
  const firstIndex = Math.max(start, end - maxExtensionBytes - 1)
  let key = 1
  for (let index = end - 1; index >= firstIndex; index -= 1) {
    const byte = bytes[index] as number
    if (byte === dot) return key
    key = key * 256 + byte
  }
  return 0
}
