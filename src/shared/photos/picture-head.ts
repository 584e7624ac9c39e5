import { directoryBelow, openExif, takenTimeIn, type ExifBlock } from './photo-facts.ts'
import { readHeifSize } from './heif-size.ts'
import { imageSizeOf, type ImageSize } from './image-size.ts'
import { readJpegHead } from './jpeg-head.ts'
import type { Bytes, ReadPart } from './read-part.ts'
import { numberIn, numbersIn, readTiffDirectory, tags, type TiffDirectory } from './tiff-directories.ts'
import { withFallback } from './unreadable-image.ts'

/** The facts that the beginning of a picture tells about it. */
export type PictureHead = {
  /** The local time at which it was taken, as `2026-11-25T18:30:00`, or null when the file does not say so. */
  readonly takenAt: string | null
  /** The size in which it is shown, after it was turned upright. Null when it is not known. */
  readonly size: ImageSize | null
}

/** The largest side of a picture, in pixels. Larger numbers are those of damaged files. */
const maxSidePx = 1_000_000

/**
 * Reads the time at which a picture was taken, and the size in which it is shown: of JPEG, PNG, GIF, WebP, BMP, HEIC, AVIF and TIFF files, and
 * of RAW files with the structure of TIFF. Damaged facts are null.
 */
export async function readPictureHead(read: ReadPart, sizeBytes: number): Promise<PictureHead> {
  const exif = await openExif(read, sizeBytes)
  const below = exif && (await directoryBelow(exif.file, exif.main, tags.exifDirectory))
  return {
    takenAt: exif && below && (await takenTimeIn(exif.file, below)),
    size: await withFallback(sizeOf(read, sizeBytes, exif && { ...exif, below }), null),
  }
}

type ReadBlock = ExifBlock & { readonly below: TiffDirectory | null }

async function sizeOf(read: ReadPart, sizeBytes: number, exif: ReadBlock | null): Promise<ImageSize | null> {
  const head = await read(0, 30)
  const isHeif = textOf(head, 4, 8) === 'ftyp'
  // The boxes of a HEIF file say how it is turned, and viewers ignore what its EXIF block says.
  const size = isHeif
    ? await readHeifSize(read, sizeBytes)
    : await storedSize(read, sizeBytes, { head, exif })
  if (size === null || !(isSide(size.width) && isSide(size.height))) return null
  return !isHeif && (await isTurned(exif)) ? { width: size.height, height: size.width } : size
}

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0 && pixels <= maxSidePx

/** Returns true for the orientations of EXIF that exchange the sides. */
async function isTurned(exif: ReadBlock | null): Promise<boolean> {
  const orientation =
    exif && (await withFallback(numberIn(exif.file, exif.main.fields.get(tags.orientation)), 1))
  return orientation !== null && orientation !== undefined && orientation >= 5 && orientation <= 8
}

type KnownParts = { readonly head: Bytes; readonly exif: ReadBlock | null }

/** Returns the size of the pixels as they are stored. */
async function storedSize(
  read: ReadPart,
  sizeBytes: number,
  { head, exif }: KnownParts,
): Promise<ImageSize | null> {
  const start = textOf(head, 0, 4)
  if (start.startsWith('\xff\xd8')) return (await readJpegHead(read, sizeBytes))?.size ?? null
  if (start.startsWith('II') || start.startsWith('MM')) return exif && sizeInTiff(exif)
  return imageSizeOf(head)
}

/** The size of the photo in the directory of EXIF (EXIF 2.32, section 4.6.5). */
const exifSizeTags = { width: 0xa002, height: 0xa003 } as const

/** Maximum number of images below the first one that are looked at. Cameras write up to four. */
const maxBelow = 8

/** Returns true when the kind of an image in a TIFF file has its first bit: a smaller copy of another image (TIFF 6.0, section 8). */
const isSmallCopy = (kind: number): boolean => (kind & 1) === 1

/**
 * Returns the size of a TIFF image, or of the photo in a RAW file. The first image of a RAW file may be a small copy with other proportions;
 * the photo is then one of those below it, the largest one.
 */
async function sizeInTiff({ file, main, below: exif }: ReadBlock): Promise<ImageSize | null> {
  const sizeIn = async (
    directory: TiffDirectory | null,
    { width, height }: { readonly width: number; readonly height: number },
  ): Promise<ImageSize | null> => {
    const number = (tag: number): Promise<number | undefined> =>
      withFallback(numberIn(file, directory?.fields.get(tag)), undefined)
    const size = { width: (await number(width)) ?? 0, height: (await number(height)) ?? 0 }
    return isSide(size.width) && isSide(size.height) ? size : null
  }
  const kind = (await withFallback(numberIn(file, main.fields.get(tags.subfileType)), 0)) ?? 0
  const first = await sizeIn(main, tags)
  if (first !== null && !isSmallCopy(kind)) return first
  const written = await sizeIn(exif, exifSizeTags)
  if (written !== null) return written
  const below = await withFallback(numbersIn(file, main.fields.get(tags.subDirectories), maxBelow), [])
  let largest = first
  for (const at of below) {
    const size = await sizeIn(await withFallback(readTiffDirectory(file, at), null), tags)
    if (size !== null && (largest === null || size.width > largest.width)) largest = size
  }
  return largest
}

const textOf = (bytes: Bytes, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end))
