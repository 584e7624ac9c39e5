import type { Bytes, ReadPart } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, latin1, noTags } from './tags.ts'
import { tagsOfComments } from './vorbis-comments.ts'

/** Maximum number of pages that are looked at. A page has at most 64 kB, and a large cover needs several. */
const maxPages = 100

/** The starts of the packet with the comments, in Vorbis and in Opus. */
const commentMarks = ['\u0003vorbis', 'OpusTags'] as const

/** Reads the comments of an Ogg file (RFC 3533): they are the second packet of the stream. */
export async function readOgg(read: ReadPart): Promise<AudioTags> {
  const parts: Bytes[] = []
  let packet = 0
  let at = 0
  for (let page = 0; page < maxPages && packet < 2; page += 1) {
    const header = await read(at, 27)
    if (latin1(header.subarray(0, 4)) !== 'OggS') break
    const lengths = await read(at + 27, header[26] ?? 0)
    at += 27 + lengths.length
    for (const length of lengths) {
      if (packet === 1) parts.push(await read(at, length))
      at += length
      // A piece of 255 bytes goes on with the next piece.
      if (length < 255) packet += 1
      if (packet === 2) break
    }
  }
  const comments = joined(parts)
  const mark = commentMarks.find((start) => latin1(comments.subarray(0, start.length)) === start)
  return mark === undefined ? noTags : tagsOfComments(comments.subarray(mark.length))
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
