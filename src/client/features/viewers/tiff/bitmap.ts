import type { Bytes } from '../../../../shared/photos/read-part.ts'
import { isLying } from './page-layout.ts'

/**
 * The pixels of a decoded page, upright. `indexed` has one byte for each pixel, which is a place in the palette of 256
 * colours, and `colour` has four bytes for each pixel: red, green, blue and opacity.
 */
export type Bitmap = {
  readonly kind: 'indexed' | 'colour'
  readonly width: number
  readonly height: number
  readonly pixels: Bytes
  /** The colours of the bytes of an indexed bitmap: blue, green, red and an unused byte each. */
  readonly palette: Bytes
  /**
   * The positions of the stored pixels in the upright page: the index of the first pixel, and the steps to the next
   * column and row.
   */
  readonly origin: number
  readonly columnStep: number
  readonly rowStep: number
}

type StoredPage = {
  readonly kind: Bitmap['kind']
  readonly width: number
  readonly height: number
  /** As in EXIF, 1 to 8. */
  readonly orientation: number
}

/** Creates an empty bitmap for a page that is stored in another orientation. */
export function createBitmap({ kind, orientation, ...stored }: StoredPage, palette: Bytes): Bitmap {
  const isTurned = isLying(orientation)
  const width = isTurned ? stored.height : stored.width
  const height = isTurned ? stored.width : stored.height
  const pixelBytes = kind === 'indexed' ? 1 : 4
  // The rows of a BMP file have a multiple of four bytes.
  const stride = Math.ceil((width * pixelBytes) / 4) * 4
  const isFromRight = [2, 3, 6, 7].includes(orientation)
  const isFromBelow = [3, 4, 7, 8].includes(orientation)
  const across = isFromRight ? -pixelBytes : pixelBytes
  const down = isFromBelow ? -stride : stride
  return {
    kind,
    width,
    height,
    pixels: new Uint8Array(stride * height),
    palette,
    origin: (isFromRight ? (width - 1) * pixelBytes : 0) + (isFromBelow ? (height - 1) * stride : 0),
    columnStep: isTurned ? down : across,
    rowStep: isTurned ? across : down,
  }
}

const fileHeaderBytes = 14
const imageHeaderBytes = 108

/**
 * Presents a bitmap as a BMP file, which browsers show as an image without any work of ours. The colours have a mask
 * each, so that the order of their bytes stays.
 */
export function bmpFile({ kind, width, height, pixels, palette }: Bitmap): Blob {
  const isIndexed = kind === 'indexed'
  const pixelsAt = fileHeaderBytes + imageHeaderBytes + (isIndexed ? palette.length : 0)
  const header = new DataView(new ArrayBuffer(fileHeaderBytes + imageHeaderBytes))
  header.setUint16(0, 0x424d)
  header.setUint32(2, pixelsAt + pixels.length, true)
  header.setUint32(10, pixelsAt, true)
  header.setUint32(14, imageHeaderBytes, true)
  header.setInt32(18, width, true)
  // A negative height means that the upper row comes first.
  header.setInt32(22, -height, true)
  header.setUint16(26, 1, true)
  header.setUint16(28, isIndexed ? 8 : 32, true)
  header.setUint32(30, isIndexed ? 0 : 3, true)
  header.setUint32(34, pixels.length, true)
  header.setUint32(46, isIndexed ? palette.length / 4 : 0, true)
  if (!isIndexed)
    for (const [index, mask] of [0xff, 0xff00, 0xff_0000, 0xff00_0000].entries())
      header.setUint32(54 + 4 * index, mask, true)
  // The colour space is sRGB.
  header.setUint32(70, 0x7352_4742, true)
  return new Blob([header.buffer, ...(isIndexed ? [palette] : []), pixels], { type: 'image/bmp' })
}
