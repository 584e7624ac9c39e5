import { AppError } from '../../shared/domain/failure.ts'
import type { OpenFile } from '../storage/port.ts'
import type { ImageSource } from './converter.ts'
import { readTiffDirectories, type ByteReader, type TiffDirectory } from './tiff-directories.ts'

/** The place of a JPEG image in a file, in bytes. */
type JpegPlace = { readonly start: number; readonly length: number }

/** The JPEG previews in a camera RAW file, and the EXIF orientation of the photo (1 to 8). */
type RawPreviews = { readonly places: readonly JpegPlace[]; readonly orientation: number }

/** The tags of TIFF that lead to a preview. `rawJpeg` is a tag of Panasonic. */
const tags = {
  rawJpeg: 0x002e,
  compression: 0x0103,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  stripLengths: 0x0117,
  jpegOffset: 0x0201,
  jpegLength: 0x0202,
} as const

/** The values of the tag for the compression that mean JPEG. */
const jpegCompressions: readonly number[] = [6, 7]

/** The maximum number of segments of a JPEG image that are looked at. Previews of cameras have fewer than ten. */
const maxSegments = 64

/**
 * Returns the largest JPEG image that the camera stored in a RAW file. The server does not develop the RAW data itself.
 * Throws `undecodable` when the file contains no JPEG image.
 */
export async function readRawPreview(file: OpenFile): Promise<ImageSource> {
  const sizeBytes = (file.entry.target ?? file.entry).sizeBytes
  const read = byteReaderOf(file, sizeBytes)
  const { places, orientation } = (await findInRaf(read)) ?? (await findInTiff(read))
  const largestFirst = places
    .filter(({ start, length }) => length > 0 && start + length <= sizeBytes)
    .toSorted((a, b) => b.length - a.length)
  for (const place of largestFirst) {
    const facts = await readJpegFacts(read, place)
    if (facts === null) continue
    const inserted = facts.hasExif ? Buffer.alloc(0) : orientationSegment(orientation)
    return {
      sizeBytes: place.length + inserted.length,
      async *bytes() {
        yield startOfImage
        yield inserted
        yield* file.bytes({ start: place.start + startOfImage.length, end: place.start + place.length })
      },
    }
  }
  throw new AppError('undecodable')
}

const byteReaderOf =
  (file: OpenFile, sizeBytes: number): ByteReader =>
  async (start, length) => {
    if (start + length > sizeBytes) return null
    const chunks: Uint8Array[] = []
    for await (const chunk of file.bytes({ start, end: start + length })) chunks.push(Uint8Array.from(chunk))
    return Buffer.concat(chunks)
  }

/** Finds the preview in a RAF file of Fujifilm. Null when the file is of another kind. */
async function findInRaf(read: ByteReader): Promise<RawPreviews | null> {
  const header = await read(0, 92)
  if (header === null || !header.toString('latin1', 0, 16).startsWith('FUJIFILMCCD-RAW')) return null
  return {
    places: [{ start: header.readUInt32BE(84), length: header.readUInt32BE(88) }],
    orientation: 1,
  }
}

async function findInTiff(read: ByteReader): Promise<RawPreviews> {
  const directories = await readTiffDirectories(read)
  const [orientation = 1] = directories[0]?.get(tags.orientation) ?? []
  return { places: directories.flatMap(jpegPlacesOf), orientation }
}

function jpegPlacesOf(directory: TiffDirectory): readonly JpegPlace[] {
  const value = (tag: number): readonly number[] => directory.get(tag) ?? []
  const isJpeg = jpegCompressions.includes(value(tags.compression)[0] ?? 0)
  const candidates = [
    [...value(tags.jpegOffset), ...value(tags.jpegLength)],
    isJpeg ? [...value(tags.stripOffsets), ...value(tags.stripLengths)] : [],
    value(tags.rawJpeg),
  ]
  return candidates.flatMap(([start, length, ...rest]) =>
    start === undefined || length === undefined || rest.length > 0 ? [] : [{ start, length }],
  )
}

const startOfImage = Buffer.from([0xff, 0xd8])

/**
 * Reads the segments of a JPEG image up to the one that describes its pixels. Null when the bytes are not a JPEG image
 * that can be shown: RAW data itself may be stored as lossless JPEG, which no image library reads.
 */
async function readJpegFacts(
  read: ByteReader,
  { start, length }: JpegPlace,
): Promise<{ readonly hasExif: boolean } | null> {
  if (!(await read(start, 2))?.equals(startOfImage)) return null
  let hasExif = false
  let at = start + 2
  for (let segments = 0; segments < maxSegments && at + 10 <= start + length; segments += 1) {
    const head = await read(at, 10)
    if (head === null || head[0] !== 0xff) return null
    const marker = head[1] ?? 0
    // Baseline, extended and progressive. The other frames are lossless or use arithmetic coding.
    if (marker >= 0xc0 && marker <= 0xc2) return { hasExif }
    if (marker === 0xc3 || (marker >= 0xc5 && marker <= 0xcf && marker !== 0xcc)) return null
    hasExif ||= marker === 0xe1 && head.toString('latin1', 4, 8) === 'Exif'
    at += 2 + head.readUInt16BE(2)
  }
  return null
}

/** Returns an EXIF segment with nothing but the orientation. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(tags.orientation, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation >= 1 && orientation <= 8 ? orientation : 1, 18)
  const head = Buffer.from([0xff, 0xe1, 0, 0, ...Buffer.from('Exif\0\0', 'latin1')])
  head.writeUInt16BE(2 + 6 + tiff.length, 2)
  return Buffer.concat([head, tiff])
}
