import type { Bytes, ReadPart } from './read-part.ts'
import { findHeifExif, nameAt } from './heif-exif.ts'
import { readJpegHead } from './jpeg-head.ts'

/** Maximum number of chunks of a PNG or WebP file that are looked at. */
const maxChunks = 200

/**
 * Returns where the EXIF block of an image begins, in bytes. A TIFF or RAW file is such a block itself. Returns null when the
 * image has none, or is of another format.
 */
export async function findExif(read: ReadPart, sizeBytes: number): Promise<number | null> {
  const head = await read(0, 16)
  const text = textOf(head)
  if (text.startsWith('II') || text.startsWith('MM')) return 0
  if (text.startsWith('\xff\xd8')) return (await readJpegHead(read, sizeBytes))?.exifAt ?? null
  if (text.startsWith('\x89PNG')) return findChunk(read, sizeBytes, pngChunks)
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return findChunk(read, sizeBytes, webpChunks)
  if (text.slice(4, 8) === 'ftyp') return findHeifExif(read, sizeBytes)
  return null
}

/** The format in which the chunks of a file are stored. */
type ChunkFormat = {
  /** The offset in bytes at which the first chunk begins. */
  readonly first: number
  readonly name: string
  /** Reads the name and the number of bytes of the content. */
  readonly parse: (head: DataView) => { readonly name: string; readonly length: number }
  /** Returns the number of bytes from the start of a chunk to the start of the next one. */
  readonly step: (length: number) => number
}

const pngChunks: ChunkFormat = {
  first: 8,
  name: 'eXIf',
  parse: (head) => ({ name: nameAt(head, 4), length: head.getUint32(0) }),
  step: (length) => length + 12,
}

const webpChunks: ChunkFormat = {
  first: 12,
  name: 'EXIF',
  parse: (head) => ({ name: nameAt(head, 0), length: head.getUint32(4, true) }),
  step: (length) => 8 + length + (length % 2),
}

async function findChunk(read: ReadPart, sizeBytes: number, format: ChunkFormat): Promise<number | null> {
  let at = format.first
  for (let chunks = 0; chunks < maxChunks && at + 8 <= sizeBytes; chunks += 1) {
    const head = await read(at, 8)
    if (head.length < 8) return null
    const { name, length } = format.parse(new DataView(head.buffer, head.byteOffset, 8))
    if (name === format.name) return at + 8 + (await nameLength(read, at + 8))
    at += format.step(length)
  }
  return null
}

/** Some programs write the name of the block, which belongs to JPEG, before the block itself in other formats, too. */
const nameLength = async (read: ReadPart, at: number): Promise<number> =>
  textOf(await read(at, 6)) === 'Exif\0\0' ? 6 : 0

const textOf = (bytes: Bytes): string => String.fromCharCode(...bytes)
