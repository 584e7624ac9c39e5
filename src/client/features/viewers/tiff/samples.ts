import type { Bytes } from '../../../../shared/photos/read-part.ts'
import type { PageLayout } from './page-layout.ts'

type SampleRows = {
  readonly rowBytes: number
  readonly rows: number
  readonly bits: number
  /** The number of samples from one pixel to the next. */
  readonly samples: number
  readonly isLittleEndian: boolean
}

/** Replaces differences by the samples themselves, row by row (TIFF 6.0, section 14). */
export function undoDifferences(bytes: Bytes, { rowBytes, rows, bits, ...format }: SampleRows): void {
  const { samples, isLittleEndian } = format
  const sampleBytes = bits / 8
  const step = samples * sampleBytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let row = 0; row < rows; row += 1) {
    const end = (row + 1) * rowBytes
    for (let at = row * rowBytes + step; at + sampleBytes <= end; at += sampleBytes)
      if (bits === 8) bytes[at] = (bytes[at] ?? 0) + (bytes[at - step] ?? 0)
      else if (bits === 16)
        view.setUint16(
          at,
          view.getUint16(at, isLittleEndian) + view.getUint16(at - step, isLittleEndian),
          isLittleEndian,
        )
      else
        view.setUint32(
          at,
          view.getUint32(at, isLittleEndian) + view.getUint32(at - step, isLittleEndian),
          isLittleEndian,
        )
  }
}

/**
 * Returns the samples of a row with one byte each. Samples of more than 8 bits lose their lower bits. Smaller samples stay
 * as they are, so that they are places in a palette.
 */
export function byteSamples(
  row: Bytes,
  { bits, isLittleEndian }: Pick<PageLayout, 'bits' | 'isLittleEndian'>,
  target: Bytes,
): Bytes {
  if (bits === 8) return row
  if (bits === 16 || bits === 32) {
    const bytes = bits / 8
    const first = isLittleEndian ? bytes - 1 : 0
    for (let index = 0; index < target.length; index += 1) target[index] = row[index * bytes + first] ?? 0
    return target
  }
  const dropped = Math.max(0, bits - 8)
  const mask = 2 ** bits - 1
  for (let index = 0; index < target.length; index += 1) {
    const at = index * bits
    const byte = at >> 3
    const three = ((row[byte] ?? 0) << 16) | ((row[byte + 1] ?? 0) << 8) | (row[byte + 2] ?? 0)
    target[index] = ((three >> (24 - (at & 7) - bits)) & mask) >> dropped
  }
  return target
}
