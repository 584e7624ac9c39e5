import type { Bytes } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, bigEndian, cleanText, littleEndian, noTags } from './tags.ts'

/** Maximum number of comments that are read. Files have about 30. */
const maxComments = 1000

/** Reads the comments of a Vorbis, Opus or FLAC stream. A cover may be among them, in Base64. */
export function tagsOfComments(block: Bytes): AudioTags {
  const tags: { -readonly [K in keyof AudioTags]: AudioTags[K] } = { ...noTags }
  let at = 4 + littleEndian(block, 0)
  const count = Math.min(maxComments, littleEndian(block, at))
  at += 4
  for (let index = 0; index < count && at < block.length; index += 1) {
    const length = littleEndian(block, at)
    const comment = new TextDecoder().decode(block.subarray(at + 4, at + 4 + length))
    at += 4 + length
    const name = comment.slice(0, Math.max(0, comment.indexOf('='))).toLowerCase()
    const value = comment.slice(name.length + 1)
    if (name === 'title' || name === 'artist' || name === 'album') tags[name] ??= cleanText(value)
    else if (name === 'metadata_block_picture') tags.cover ??= pictureInBase64(value)
  }
  return tags
}

/** Returns the bytes of a picture block: a kind, a format, a description, four sizes, and the picture with its length. */
export function pictureInBlock(block: Bytes): Bytes {
  const formatLength = bigEndian(block, 4, 4)
  const descriptionLength = bigEndian(block, 8 + formatLength, 4)
  const start = 12 + formatLength + descriptionLength + 16
  return block.slice(start + 4, start + 4 + bigEndian(block, start, 4))
}

function pictureInBase64(text: string): Bytes | null {
  try {
    return pictureInBlock(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)))
  } catch {
    return null
  }
}
