import type { ImageSize } from './image-size.ts'
import type { ReadPart } from './read-part.ts'

/** The metadata in the segments before the pixels of a JPEG image. */
export type JpegHead = {
  /** The offset in bytes at which the EXIF block begins, after its name. Null when the image has no such block. */
  readonly exifAt: number | null
  /** The numbers of columns and lines as they are stored, before the image is turned. */
  readonly size: ImageSize
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
    const [first, marker = 0, high = 0, low = 0, , ...numbers] = head
    if (first !== 0xff || head.length < 10) return null
    // Baseline, extended and progressive. The other kinds are lossless or use arithmetic coding.
    if (marker >= 0xc0 && marker <= 0xc2) {
      const [heightHigh = 0, heightLow = 0, widthHigh = 0, widthLow = 0] = numbers
      return { exifAt, size: { width: widthHigh * 256 + widthLow, height: heightHigh * 256 + heightLow } }
    }
    if (marker === 0xc3 || (marker >= 0xc5 && marker <= 0xcf && marker !== 0xcc)) return null
    const isExif = marker === 0xe1 && String.fromCharCode(...head.slice(4, 10)) === 'Exif\0\0'
    if (isExif) exifAt ??= at + 10
    at += 2 + high * 256 + low
  }
  return null
}
