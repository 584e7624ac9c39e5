import type { Bytes } from '../../../../shared/photos/read-part.ts'
import type { Bitmap } from './bitmap.ts'
import { colourCounts, type PageLayout } from './page-layout.ts'
import { byteSamples } from './samples.ts'

/** The visible part of a segment, in pixels of the stored page. */
export type SegmentPlace = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** The sample that the segment has of each pixel, or null when it has all of them. */
  readonly plane: number | null
}

/** Returns true when each pixel is stored as one place in a palette. Grey images have a palette of greys. */
export const isIndexed = ({ colours, alpha }: Pick<PageLayout, 'colours' | 'alpha'>): boolean =>
  colourCounts[colours] === 1 && alpha === 'none'

/** Returns the palette of a page as a BMP file stores it: blue, green, red and an unused byte for each colour. */
export function paletteOf({ colours, bits, palette }: PageLayout): Bytes {
  const bytes = new Uint8Array(256 * 4)
  const count = 2 ** Math.min(8, bits)
  for (let index = 0; index < count; index += 1) {
    const grey = Math.round((index * 255) / (count - 1))
    const shade = colours === 'white-is-zero' ? 255 - grey : grey
    const colour =
      colours === 'palette'
        ? [palette[index + 2 * count], palette[index + count], palette[index]].map((value = 0) => value >> 8)
        : [shade, shade, shade]
    bytes.set(colour, index * 4)
  }
  return bytes
}

/** A segment whose bytes are decoded. `samples` is the number of samples of each pixel in it. */
export type DecodedSegment = {
  readonly bytes: Bytes
  readonly rowBytes: number
  readonly samples: number
  readonly place: SegmentPlace
}

/**
 * Draws the visible rows of a segment into the bitmap. The bytes of a pixel are its samples then, until `finishColours`
 * has converted them.
 */
export function drawSegment(bitmap: Bitmap, layout: PageLayout, segment: DecodedSegment): void {
  const { bytes, rowBytes, samples, place } = segment
  const { pixels, columnStep, rowStep, origin } = bitmap
  const row = new Uint8Array(place.width * samples)
  const channels = channelsOf(layout, segment)
  for (let index = 0; index < place.height; index += 1) {
    const stored = bytes.subarray(index * rowBytes, (index + 1) * rowBytes)
    const values = byteSamples(stored, layout, row)
    const start = origin + (place.top + index) * rowStep + place.left * columnStep
    for (const [sample, channel] of channels)
      for (let column = 0; column < place.width; column += 1)
        pixels[start + column * columnStep + channel] = values[column * samples + sample] ?? 0
  }
}

/** Returns which samples of a segment are drawn, each with the byte of the pixel that it becomes. */
function channelsOf(layout: PageLayout, { place, samples }: DecodedSegment): (readonly [number, number])[] {
  const colourCount = colourCounts[layout.colours]
  return Array.from({ length: samples }, (_, index) => index).flatMap((index) => {
    const sample = place.plane ?? index
    if (sample < colourCount) return [[index, sample] as const]
    return sample === colourCount && layout.alpha !== 'none' ? [[index, 3] as const] : []
  })
}

/** Converts the samples in a bitmap to red, green, blue and opacity, after all segments have been drawn. */
export function finishColours({ kind, pixels, palette }: Bitmap, { colours, alpha }: PageLayout): void {
  if (kind === 'indexed') return
  const isCmyk = colours === 'cmyk'
  const isShade = colourCounts[colours] === 1
  for (let at = 0; at < pixels.length; at += 4) {
    if (isCmyk) {
      const light = 255 - (pixels[at + 3] ?? 0)
      for (let channel = at; channel < at + 3; channel += 1)
        pixels[channel] = Math.round(((255 - (pixels[channel] ?? 0)) * light) / 255)
    } else if (isShade) {
      const from = (pixels[at] ?? 0) * 4
      for (let channel = 0; channel < 3; channel += 1) pixels[at + channel] = palette[from + 2 - channel] ?? 0
    }
    if (alpha === 'none') pixels[at + 3] = 255
    else if (alpha === 'multiplied') {
      const opacity = Math.max(1, pixels[at + 3] ?? 0)
      for (let channel = at; channel < at + 3; channel += 1)
        pixels[channel] = Math.min(255, Math.round(((pixels[channel] ?? 0) * 255) / opacity))
    }
  }
}
