import type { Bytes, ReadPart } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, bigEndian, cleanText, latin1, maxTagBytes, noTags } from './tags.ts'

/** The frames that are read: of ID3 2.3 and 2.4, and with three letters of ID3 2.2. */
const textFields: Readonly<Record<string, 'title' | 'artist' | 'album'>> = {
  TIT2: 'title',
  TT2: 'title',
  TPE1: 'artist',
  TP1: 'artist',
  TALB: 'album',
  TAL: 'album',
}

const headerBytes = 10

/** Reads the ID3 tag at the start of an MP3 file (id3.org, versions 2.2 to 2.4). */
export async function readId3(read: ReadPart): Promise<AudioTags> {
  const header = await read(0, headerBytes)
  const version = header[3] ?? 0
  const flags = header[5] ?? 0
  const isOld = version === 2
  const isAllUnsynchronised = (flags & 0x80) !== 0 && version < 4
  const stored = await read(headerBytes, Math.min(maxTagBytes, sevenBitNumber(header, 6)))
  const tag = isAllUnsynchronised ? resynchronised(stored) : stored
  const hasExtension = !isOld && (flags & 0x40) !== 0
  const frameHeaderBytes = isOld ? 6 : 10
  let at = hasExtension ? (version === 4 ? sevenBitNumber(tag, 0) : 4 + bigEndian(tag, 0, 4)) : 0
  const tags: { -readonly [K in keyof AudioTags]: AudioTags[K] } = { ...noTags }
  // A tag ends with its frames, or with zeros after them.
  while (at + frameHeaderBytes < tag.length && tag[at] !== 0) {
    const id = latin1(tag.subarray(at, at + (isOld ? 3 : 4)))
    const size = isOld
      ? bigEndian(tag, at + 3, 3)
      : version === 4
        ? sevenBitNumber(tag, at + 4)
        : bigEndian(tag, at + 4, 4)
    const start = at + frameHeaderBytes
    const frame = contentOf(tag.subarray(start, start + size), version === 4 ? (tag[at + 9] ?? 0) : 0)
    const field = textFields[id]
    if (field !== undefined) tags[field] ??= cleanText(decodeText(frame[0] ?? 0, frame.subarray(1)))
    else if ((id === 'APIC' || id === 'PIC') && start + size <= tag.length)
      tags.cover ??= pictureOf(frame, isOld)
    at = start + size
  }
  return tags
}

/** Removes what version 2.4 adds to the content of a frame: a length, and bytes that hide synchronisation marks. */
function contentOf(frame: Bytes, formatFlags: number): Bytes {
  const rest = (formatFlags & 0x01) === 0 ? frame : frame.subarray(4)
  return (formatFlags & 0x02) === 0 ? rest : resynchronised(rest)
}

/** Removes the 0 bytes that follow 255, which keep a tag free of the bytes that begin a frame of sound. */
const resynchronised = (bytes: Bytes): Bytes =>
  bytes.filter((byte, index) => byte !== 0 || index === 0 || bytes[index - 1] !== 0xff)

/** Returns the number in four bytes of which each holds seven bits. */
const sevenBitNumber = (bytes: Bytes, at: number): number =>
  [0, 1, 2, 3].reduce((value, index) => value * 128 + ((bytes[at + index] ?? 0) & 0x7f), 0)

const encodings = ['iso-8859-1', 'utf-16le', 'utf-16be', 'utf-8'] as const

function decodeText(encoding: number, bytes: Bytes): string {
  const isBigEndian = encoding === 1 && bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isBigEndian ? 'utf-16be' : (encodings[encoding] ?? 'utf-8')).decode(bytes)
}

/** A frame of a picture has an encoding, its format, a kind, a description in the encoding, and the bytes of the picture. */
function pictureOf(frame: Bytes, isOld: boolean): Bytes | null {
  const formatEnd = isOld ? 3 : frame.indexOf(0, 1)
  if (formatEnd === -1) return null
  const descriptionStart = formatEnd + 2
  const isWide = frame[0] === 1 || frame[0] === 2
  const step = isWide ? 2 : 1
  let end = descriptionStart
  while (end < frame.length && (frame[end] !== 0 || (frame[end + step - 1] ?? 0) !== 0)) end += step
  return end >= frame.length ? null : frame.slice(end + step)
}
