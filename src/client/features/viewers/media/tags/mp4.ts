import type { Bytes, ReadPart } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, bigEndian, cleanText, latin1, noTags } from './tags.ts'

/** Maximum number of boxes that are looked at on one level. Files have fewer than 20. */
const maxBoxes = 100

/** Reads the tags of an MP4 or M4A file, which are in nested boxes: `moov`, `udta`, `meta`, `ilst`. */
export async function readMp4(read: ReadPart): Promise<AudioTags> {
  const moov = await findMoov(read)
  const meta = moov && boxIn(boxIn(moov, 'udta'), 'meta')
  // The boxes in `meta` follow a version of four bytes.
  const list = meta && boxIn(meta.subarray(4), 'ilst')
  if (list === null) return noTags
  const text = (name: string): string | null => {
    const value = valueIn(list, name)
    return value === null ? null : cleanText(new TextDecoder().decode(value))
  }
  return {
    title: text('\u00A9nam'),
    artist: text('\u00A9ART'),
    album: text('\u00A9alb'),
    cover: valueIn(list, 'covr'),
  }
}

/** Finds the box that describes the file. It is often at the end, after the box with the audio data. */
async function findMoov(read: ReadPart): Promise<Bytes | null> {
  let at = 0
  for (let index = 0; index < maxBoxes; index += 1) {
    const header = await read(at, 16)
    const short = bigEndian(header, 0, 4)
    const isLong = short === 1
    const size = isLong ? bigEndian(header, 8, 4) * 2 ** 32 + bigEndian(header, 12, 4) : short
    const headerBytes = isLong ? 16 : 8
    if (header.length < 8 || size < headerBytes) return null
    if (latin1(header.subarray(4, 8)) === 'moov') return read(at + headerBytes, size - headerBytes)
    at += size
  }
  return null
}

/** Returns the content of the first box with a name, or null. */
function boxIn(parent: Bytes | null, name: string): Bytes | null {
  if (parent === null) return null
  let at = 0
  while (at + 8 <= parent.length) {
    const size = bigEndian(parent, at, 4)
    if (size < 8) return null
    if (latin1(parent.subarray(at + 4, at + 8)) === name) return parent.subarray(at + 8, at + size)
    at += size
  }
  return null
}

/** Returns the value of a tag, which is in a box `data` after eight bytes of its type and language. */
const valueIn = (list: Bytes, name: string): Bytes | null =>
  boxIn(boxIn(list, name), 'data')?.slice(8) ?? null
