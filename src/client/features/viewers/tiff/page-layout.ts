import {
  numberIn,
  numbersIn,
  type TiffDirectory,
  type TiffFile,
  tags,
} from '../../../../shared/photos/tiff-directories.ts'
import { DamagedImageError, UnreadableImageError } from '../../../../shared/photos/unreadable-image.ts'

/** The format in which the pixels of a page are stored. */
export type PageLayout = {
  readonly width: number
  readonly height: number
  /** The orientation as in EXIF, 1 to 8. */
  readonly orientation: number
  readonly compression: number
  readonly colours: 'white-is-zero' | 'black-is-zero' | 'rgb' | 'palette' | 'cmyk' | 'ycbcr'
  readonly bits: number
  /** The number of samples of each pixel, including those that are not colours. */
  readonly samples: number
  /** Tells whether the sample after the colours is the opacity, and whether the colours are multiplied by it. */
  readonly alpha: 'none' | 'separate' | 'multiplied'
  /** True when the samples of each colour are stored apart from the others. */
  readonly isPlanar: boolean
  /** True when each sample is stored as the difference from the one before it in its row. */
  readonly hasDifferences: boolean
  /** True when the lowest bit of a byte comes first. */
  readonly isBitReversed: boolean
  readonly isLittleEndian: boolean
  readonly faxOptions: number
  /** The red, green and blue values of a palette, 16 bits each. */
  readonly palette: readonly number[]
  readonly jpegTables: readonly number[]
  readonly segments: SegmentLayout
}

/** The pieces of a page. Strips are as wide as the page. Tiles may reach over its right and lower edge. */
export type SegmentLayout = {
  readonly width: number
  readonly height: number
  readonly offsets: readonly number[]
  readonly byteCounts: readonly number[]
}

/** Returns true for an orientation in which the stored rows are columns of the upright page. */
export const isLying = (orientation: number): boolean => orientation >= 5 && orientation <= 8

/** The largest page, in pixels (ux 2.15). A browser needs up to four bytes for each pixel. */
const maxPixels = 200_000_000

/** The widest page, in pixels. Chromium refuses a wider BMP file, which is the format in which it gets the page. */
const maxWidth = 65_535

/** The highest page, in pixels. Scans of long rolls, such as well logs, have some 100,000 rows. */
const maxHeight = 1_000_000

/** The largest decoded segment, in bytes. A page of 200 megapixels without segments has as many bytes in three colours. */
const maxSegmentBytes = 1_000_000_000

/** Maximum number of segments. A page of 200 megapixels in tiles of 64 × 64 pixels has 50,000. */
const maxSegments = 1_000_000

const colourKinds: Readonly<Record<number, PageLayout['colours']>> = {
  0: 'white-is-zero',
  1: 'black-is-zero',
  2: 'rgb',
  3: 'palette',
  5: 'cmyk',
  6: 'ycbcr',
}

/** The number of colours in each pixel, without opacity and other samples. */
export const colourCounts: Readonly<Record<PageLayout['colours'], number>> = {
  'white-is-zero': 1,
  'black-is-zero': 1,
  rgb: 3,
  palette: 1,
  cmyk: 4,
  ycbcr: 3,
}

/** The compressions that are supported: none, fax, LZW, JPEG, Deflate and PackBits. */
export const compressions = {
  none: 1,
  faxRuns: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  oldDeflate: 32_946,
  packBits: 32_773,
} as const

const faxCompressions: readonly number[] = [compressions.faxRuns, compressions.fax3, compressions.fax4]

/**
 * Reads how the pixels of a page are stored.
 * @throws UnreadableImageError when the directory is damaged, or asks for something that is not supported.
 */
export async function readPageLayout(file: TiffFile, { fields }: TiffDirectory): Promise<PageLayout> {
  const one = async (tag: number, otherwise: number): Promise<number> =>
    (await numberIn(file, fields.get(tag))) ?? otherwise
  const many = (tag: number, maxCount: number): Promise<readonly number[]> =>
    numbersIn(file, fields.get(tag), maxCount)
  const size = { width: await one(tags.width, 0), height: await one(tags.height, 0) }
  const orientation = await one(tags.orientation, 1)
  const [width, height] = isLying(orientation) ? [size.height, size.width] : [size.width, size.height]
  const isWithinLimits =
    width > 0 && height > 0 && width <= maxWidth && height <= maxHeight && width * height <= maxPixels
  if (!isWithinLimits) throw new UnreadableImageError('its size is outside of the limits')
  const colours = colourKinds[await one(tags.photometric, -1)]
  const samples = await one(tags.samplesPerPixel, 1)
  const sampleBits = await many(tags.bitsPerSample, 1000)
  const sampleFormats = await many(tags.sampleFormat, 1000)
  const [extraSample] = await many(tags.extraSamples, 1000)
  if (colours === undefined) throw new UnreadableImageError('its colours are not supported')
  if (sampleFormats.some((format) => format !== 1 && format !== 4) || new Set(sampleBits).size > 1)
    throw new UnreadableImageError('its samples are not supported')
  const layout: PageLayout = {
    ...size,
    orientation,
    compression: await one(tags.compression, compressions.none),
    colours,
    bits: sampleBits[0] ?? 1,
    samples,
    alpha:
      colours === 'cmyk' || samples <= colourCounts[colours] || (extraSample !== 1 && extraSample !== 2)
        ? 'none'
        : extraSample === 1
          ? 'multiplied'
          : 'separate',
    isPlanar: samples > 1 && (await one(tags.planarConfiguration, 1)) === 2,
    hasDifferences: (await one(tags.predictor, 1)) === 2,
    isBitReversed: (await one(tags.fillOrder, 1)) === 2,
    isLittleEndian: file.isLittleEndian,
    faxOptions: await one(tags.faxOptions, 0),
    palette: colours === 'palette' ? await many(tags.colourMap, 3 * 256) : [],
    jpegTables: await many(tags.jpegTables, 65_536),
    segments: await readSegments({ one, many }, size),
  }
  check(layout, await one(tags.predictor, 1))
  return layout
}

type FieldReaders = {
  readonly one: (tag: number, otherwise: number) => Promise<number>
  readonly many: (tag: number, maxCount: number) => Promise<readonly number[]>
}

async function readSegments(
  { one, many }: FieldReaders,
  page: { readonly width: number; readonly height: number },
): Promise<SegmentLayout> {
  const tileWidth = await one(tags.tileWidth, 0)
  if (tileWidth > 0)
    return {
      width: tileWidth,
      height: await one(tags.tileHeight, 0),
      offsets: await many(tags.tileOffsets, maxSegments),
      byteCounts: await many(tags.tileByteCounts, maxSegments),
    }
  return {
    width: page.width,
    height: Math.min(page.height, await one(tags.rowsPerStrip, page.height)),
    offsets: await many(tags.stripOffsets, maxSegments),
    byteCounts: await many(tags.stripByteCounts, maxSegments),
  }
}

/** Refuses what the decoder cannot do, before anything is decoded. */
function check(layout: PageLayout, predictor: number): void {
  const { colours, bits, samples, isPlanar, compression, segments } = layout
  const isJpeg = compression === compressions.jpeg
  const isSupported =
    Object.values<number>(compressions).includes(compression) &&
    [1, 2, 4, 8, 10, 12, 14, 16, 32].includes(bits) &&
    samples >= colourCounts[colours] &&
    samples <= 32 &&
    (predictor === 1 || (predictor === 2 && bits >= 8 && bits % 8 === 0)) &&
    (colours !== 'ycbcr' || isJpeg) &&
    (!isJpeg || (bits === 8 && !isPlanar && colours !== 'cmyk' && colours !== 'palette')) &&
    (colours !== 'palette' || (bits <= 8 && layout.palette.length === 3 * 2 ** bits)) &&
    (!faxCompressions.includes(compression) || (bits === 1 && samples === 1))
  if (!isSupported) throw new UnreadableImageError('it is stored in a way that is not supported')
  const planes = isPlanar ? samples : 1
  const expected =
    Math.ceil(layout.width / segments.width) * Math.ceil(layout.height / segments.height) * planes
  const isComplete =
    segments.width > 0 &&
    segments.height > 0 &&
    segments.offsets.length >= expected &&
    segments.byteCounts.length >= expected
  if (!isComplete) throw new DamagedImageError('its segments are incomplete')
  if (segmentRowBytes(layout) * segments.height > maxSegmentBytes)
    throw new UnreadableImageError('its segments are too large')
}

/** Returns the number of bytes of a row in a decoded segment. */
export const segmentRowBytes = ({ segments, samples, bits, isPlanar }: PageLayout): number =>
  Math.ceil((segments.width * (isPlanar ? 1 : samples) * bits) / 8)
