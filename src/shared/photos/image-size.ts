/** The size of an image in pixels. */
export type ImageSize = { readonly width: number; readonly height: number }

/**
 * The number of bytes (256 KiB) that are read from the beginning of a file to find the size of an image. The number is
 * large, because cameras store a preview image before the size.
 */
export const imageHeadBytes = 256 * 1024

/**
 * Reads the size of an image from its first bytes. An orientation in the metadata is not applied to this size. Null for
 * an unknown format or a damaged image.
 */
export function imageSizeOf(head: Uint8Array): ImageSize | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const start = String.fromCharCode(...head.subarray(0, 30))
  try {
    const size = readSize(view, start)
    return size === null || size.width < 1 || size.height < 1 ? null : size
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function readSize(view: DataView, start: string): ImageSize | null {
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (/^GIF8[79]a/.test(start)) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (start.startsWith('\xff\xd8')) return sizeOfJpeg(view)
  if (/^RIFF[^]{4}WEBP/.test(start)) return sizeOfWebp(view, start.slice(12, 16))
  if (/^BM[^]{12}[\x28-\x7c]\0\0\0/.test(start))
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
  return null
}

/**
 * Reads the size from the frame header of a JPEG (SOF0 to SOF15, except the table markers). The segments before the
 * frame header are skipped.
 */
function sizeOfJpeg(view: DataView): ImageSize | null {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return null
    const kind = view.getUint8(at + 1)
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += kind === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
}

function sizeOfWebp(view: DataView, kind: string): ImageSize | null {
  const uint24At = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000
  if (kind === 'VP8X') return { width: uint24At(24) + 1, height: uint24At(27) + 1 }
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}
