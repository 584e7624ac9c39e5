import type { Bytes, ReadPart } from '../../../../shared/photos/read-part.ts'
import { UnreadableImageError } from '../../../../shared/photos/unreadable-image.ts'
import { type Bitmap, createBitmap } from './bitmap.ts'
import { decodeDeflate } from './codecs/deflate.ts'
import { decodeFax } from './codecs/fax.ts'
import { decodeJpeg } from './codecs/jpeg.ts'
import { decodeLzw } from './codecs/lzw.ts'
import { decodePackBits } from './codecs/pack-bits.ts'
import {
  type DecodedSegment,
  drawSegment,
  finishColours,
  isIndexed,
  paletteOf,
  type SegmentPlace,
} from './draw-segment.ts'
import { compressions, type PageLayout, segmentRowBytes } from './page-layout.ts'
import { undoDifferences } from './samples.ts'

type DecodeOptions = {
  readonly read: ReadPart
  readonly signal: AbortSignal
  /** Called with the decoded part of the page, between 0 and 1. */
  readonly onProgress: (part: number) => void
}

/**
 * Decodes a page segment by segment, so that no more than one of them is in memory beside the result.
 * @throws UnreadableImageError for damaged content, and the reason of the signal.
 */
export async function decodePage(layout: PageLayout, options: DecodeOptions): Promise<Bitmap> {
  const { read, signal, onProgress } = options
  const bitmap = createBitmap(
    { ...layout, kind: isIndexed(layout) ? 'indexed' : 'colour' },
    paletteOf(layout),
  )
  const places = placesOf(layout)
  for (const [index, place] of places.entries()) {
    const { offsets, byteCounts } = layout.segments
    const stored = await read(offsets[index] ?? 0, byteCounts[index] ?? 0)
    signal.throwIfAborted()
    drawSegment(bitmap, layout, await decodeSegment(layout, stored, place))
    onProgress((index + 1) / places.length)
  }
  finishColours(bitmap, layout)
  return bitmap
}

/** Returns where the segments are on the page, in the order in which they are stored. */
function placesOf({ width, height, samples, isPlanar, segments }: PageLayout): readonly SegmentPlace[] {
  const columns = Math.ceil(width / segments.width)
  const rows = Math.ceil(height / segments.height)
  return Array.from({ length: columns * rows * (isPlanar ? samples : 1) }, (_, index) => {
    const left = (index % columns) * segments.width
    const top = (Math.floor(index / columns) % rows) * segments.height
    return {
      left,
      top,
      width: Math.min(segments.width, width - left),
      height: Math.min(segments.height, height - top),
      plane: isPlanar ? Math.floor(index / columns / rows) : null,
    }
  })
}

async function decodeSegment(
  layout: PageLayout,
  stored: Bytes,
  place: SegmentPlace,
): Promise<DecodedSegment> {
  const { segments, bits, samples, isPlanar, isLittleEndian } = layout
  if (layout.compression === compressions.jpeg) {
    const { width, height } = segments
    const { jpegTables: tables, colours } = layout
    const bytes = await decodeJpeg({ bytes: stored, tables, isRgb: colours === 'rgb', width, height })
    return { bytes, rowBytes: width * 4, samples: 4, place }
  }
  const rowBytes = segmentRowBytes(layout)
  // A tile is stored as a whole. The last strip has only the rows that are left.
  const rows = segments.width === layout.width ? Math.max(place.height, 1) : segments.height
  const bytes = await decompress(layout, stored, rowBytes * rows)
  const samplesInSegment = isPlanar ? 1 : samples
  if (layout.hasDifferences)
    undoDifferences(bytes, { rowBytes, rows, bits, samples: samplesInSegment, isLittleEndian })
  return { bytes, rowBytes, samples: samplesInSegment, place }
}

/** Returns the bytes of the rows of a segment. Missing bytes are 0. */
async function decompress(layout: PageLayout, stored: Bytes, sizeBytes: number): Promise<Bytes> {
  const { compression, isBitReversed } = layout
  const source = isBitReversed ? stored.map(reversed) : stored
  if (compression === compressions.none && source.length >= sizeBytes) return source.subarray(0, sizeBytes)
  const target = new Uint8Array(sizeBytes)
  switch (compression) {
    case compressions.none:
      target.set(source)
      break
    case compressions.lzw:
      decodeLzw(source, target)
      break
    case compressions.packBits:
      decodePackBits(source, target)
      break
    case compressions.deflate:
    case compressions.oldDeflate:
      await decodeDeflate(source, target)
      break
    default:
      decodeFax(source, target, { kind: faxKindOf(layout), width: layout.segments.width })
  }
  return target
}

function faxKindOf({ compression, faxOptions }: PageLayout) {
  if (compression === compressions.faxRuns) return 'runs'
  if (compression === compressions.fax4) return 'group4'
  if (compression === compressions.fax3) return (faxOptions & 1) === 1 ? 'group3-mixed' : 'group3'
  throw new UnreadableImageError('its compression is not supported')
}

/** Returns a byte with its bits in the opposite order. */
function reversed(byte: number): number {
  let rest = byte
  let turned = 0
  for (let bit = 0; bit < 8; bit += 1) {
    turned = (turned << 1) | (rest & 1)
    rest >>= 1
  }
  return turned
}
