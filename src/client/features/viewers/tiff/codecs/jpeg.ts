import type { Bytes } from '../../../../../shared/photos/read-part.ts'
import { imageSizeOf } from '../../../../../shared/photos/image-size.ts'
import { DamagedImageError, UnreadableImageError } from '../../../../../shared/photos/unreadable-image.ts'

type JpegSegment = {
  readonly bytes: Bytes
  /** Tables that all segments of a page share, as a JPEG without an image, or an empty list. */
  readonly tables: readonly number[]
  /** True when the colours are red, green and blue. The usual ones are brightness and differences of colour. */
  readonly isRgb: boolean
  readonly width: number
  readonly height: number
}

/** Decodes a segment with the browser's decoder. The result has four bytes for each pixel: red, green, blue and 255. */
export async function decodeJpeg({ bytes, tables, isRgb, width, height }: JpegSegment): Promise<Bytes> {
  const size = imageSizeOf(bytes)
  if (size === null || size.width > width || size.height > height)
    throw new DamagedImageError('a segment has another size than its page says')
  const blob = new Blob(
    [startOfImage, isRgb ? rgbMark : '', Uint8Array.from(tables.slice(2, -2)), bytes.subarray(2)],
    {
      type: 'image/jpeg',
    },
  )
  const image = await createImageBitmap(blob, { colorSpaceConversion: 'none' })
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new UnreadableImageError('the browser has no memory left')
  context.drawImage(image, 0, 0)
  image.close()
  return new Uint8Array(context.getImageData(0, 0, width, height).data.buffer)
}

const startOfImage = Uint8Array.of(0xff, 0xd8)

/** A segment of Adobe, whose last byte says that the colours are not transformed. */
const rgbMark = Uint8Array.of(0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0)
