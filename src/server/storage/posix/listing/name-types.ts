import { fileTypes, typeOfName } from '../../../../shared/domain/file-kind.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt } from '../calls/packed-names.ts'

/** In place of an index into `fileTypes`: only the first bytes can tell. */
export const unclear = 255

/** Types by extension, the bytes of it read as one number. Folders hold few kinds of them, and strings of all names would cost. */
const known = new Map<number, number>()
const mostKnown = 4096
const mostBytes = 6
const dot = 46

/** The type that a name tells, as an index into `fileTypes`, or `unclear`. */
export function typeByName(names: PackedNames, index: number): number {
  const key = extensionKey(names, index)
  const cached = key === 0 ? undefined : known.get(key)
  if (cached !== undefined) return cached
  const type = typeOfName(nameAt(names, index))
  const value = type === null ? unclear : fileTypes.indexOf(type)
  if (key === 0) return value
  if (known.size >= mostKnown) known.clear()
  known.set(key, value)
  return value
}

/** 0 where there is no extension, or a long one. */
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
