import type { ReadPart } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, bigEndian, maxTagBytes, noTags } from './tags.ts'
import { pictureInBlock, tagsOfComments } from './vorbis-comments.ts'

const commentBlock = 4
const pictureBlock = 6

/** Maximum number of blocks before the audio data that are examined. Files have fewer than 10. */
const maxBlocks = 100

/** Reads the comments and the picture of a FLAC file (RFC 9639, section 8). */
export async function readFlac(read: ReadPart): Promise<AudioTags> {
  let tags = noTags
  let at = 4
  for (let index = 0; index < maxBlocks; index += 1) {
    const header = await read(at, 4)
    const kind = (header[0] ?? 0) & 0x7f
    const size = bigEndian(header, 1, 3)
    if (kind === commentBlock && size <= maxTagBytes)
      tags = { ...tagsOfComments(await read(at + 4, size)), cover: tags.cover }
    if (kind === pictureBlock && tags.cover === null && size <= maxTagBytes)
      tags = { ...tags, cover: pictureInBlock(await read(at + 4, size)) }
    at += 4 + size
    const isLast = header.length < 4 || (header[0] ?? 0) >= 0x80
    if (isLast) break
  }
  return tags
}
