import type { Bytes } from '../../../../../shared/photos/read-part.ts'

/** The tags of an audio file. A missing text is null. */
export type AudioTags = {
  readonly title: string | null
  readonly artist: string | null
  readonly album: string | null
  /** The bytes of the cover, or null. */
  readonly cover: Bytes | null
}

export const noTags: AudioTags = { title: null, artist: null, album: null, cover: null }

/** The largest tag or picture that is read. Larger covers are not shown. */
export const maxTagBytes = 3 * 1024 * 1024

/** Texts are shortened to this number of characters, because a damaged file may contain any text. */
const maxTextLength = 300

/** Returns a text up to its first NUL, or null when it is empty. */
export function cleanText(text: string): string | null {
  const [first = ''] = text.split('\0')
  const trimmed = first.trim().slice(0, maxTextLength)
  return trimmed === '' ? null : trimmed
}

export const latin1 = (bytes: Bytes): string => new TextDecoder('iso-8859-1').decode(bytes)

/** Returns the number in up to four bytes, the highest byte first. Bytes after the end count as 0. */
export function bigEndian(bytes: Bytes, at: number, size: 3 | 4): number {
  let value = 0
  for (let index = 0; index < size; index += 1) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}

/** Returns the number in four bytes, the lowest byte first. Bytes after the end count as 0. */
export const littleEndian = (bytes: Bytes, at: number): number =>
  bigEndian(bytes.slice(at, at + 4).reverse(), 0, 4)
