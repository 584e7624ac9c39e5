import type { Bytes, ReadPart } from '../api/range-reader.ts'

/** The metadata in the segments before the pixels of a JPEG image. */
export type JpegHead = {
  /** The offset in bytes at which the EXIF block begins, after its name. Null when the image has no such block. */
  readonly exifAt: number | null
}

/** Maximum number of segments before the pixels that are looked at. Cameras write fewer than twenty. */
const maxSegments = 64

/**
 * Reads the segments of a JPEG image up to the one that describes its pixels. Returns null for bytes that are not a
 * JPEG image that browsers can show: the data of a sensor may be stored as lossless JPEG.
 */
export async function readJpegHead(read: ReadPart, lengthBytes: number): Promise<JpegHead | null> {
  const start = await read(0, 2)
  if (start[0] !== 0xff || start[1] !== 0xd8) return null
  let exifAt: number | null = null
  let at = 2
  for (let segments = 0; segments < maxSegments && at + 10 <= lengthBytes; segments += 1) {
    const head = await read(at, 10)
    const [first, marker = 0, high = 0, low = 0] = head
    if (first !== 0xff || head.length < 10) return null
    // Baseline, extended and progressive. The other kinds are lossless or use arithmetic coding.
    if (marker >= 0xc0 && marker <= 0xc2) return { exifAt }
    if (marker === 0xc3 || (marker >= 0xc5 && marker <= 0xcf && marker !== 0xcc)) return null
    const isExif = marker === 0xe1 && String.fromCharCode(...head.slice(4, 10)) === 'Exif\0\0'
    if (isExif) exifAt ??= at + 10
    at += 2 + high * 256 + low
  }
  return null
}

/**
 * Returns a JPEG image that browsers turn as the EXIF orientation says (1 to 8). Without an orientation, the image stays as
 * it is.
 */
export function withOrientation(jpeg: Bytes, orientation: number | undefined): Blob {
  const isKnown = orientation !== undefined && orientation >= 1 && orientation <= 8
  const parts = isKnown ? [jpeg.subarray(0, 2), orientationSegment(orientation), jpeg.subarray(2)] : [jpeg]
  return new Blob(parts, { type: 'image/jpeg' })
}

/** Returns a segment with an EXIF block of one field, the orientation (TIFF 6.0, section 2; EXIF 2.32, section 4.5.4). */
function orientationSegment(orientation: number): Bytes {
  const directory = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const block = [...bytesOf('Exif\0\0MM'), 0, 42, 0, 0, 0, 8, ...directory]
  return new Uint8Array([0xff, 0xe1, 0, block.length + 2, ...block])
}

const bytesOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0))
