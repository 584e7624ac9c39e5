import type { Bytes } from '../../shared/photos/read-part.ts'

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
