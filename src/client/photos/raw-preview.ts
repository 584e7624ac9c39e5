import type { ReadPart } from '../../shared/photos/read-part.ts'
import { readJpegHead } from '../../shared/photos/jpeg-head.ts'
import { withOrientation } from './jpeg-orientation.ts'
import {
  numberIn,
  numbersIn,
  openTiff,
  readChain,
  readTiffDirectory,
  tags,
  type TiffDirectory,
  type TiffFile,
} from '../../shared/photos/tiff-directories.ts'
import { withFallback, UnreadableImageError } from '../../shared/photos/unreadable-image.ts'

/** The place of a JPEG image in a file, in bytes. */
type JpegPlace = { readonly start: number; readonly length: number }

/** Limits for the directories of a RAW file. Cameras write fewer than ten, with at most four below one. */
const maxDirectories = 16
const maxBelow = 8

/** The largest image that is loaded, in bytes, because it is in memory as a whole. Images of 100 megapixels have 60 MB. */
const maxImageBytes = 128 * 1024 * 1024

/** The values of the field for the compression that mean JPEG. */
const jpegCompressions: readonly number[] = [6, 7]

/**
 * Returns the largest JPEG image that a camera has stored in a RAW file, upright. The data of the sensor itself is not
 * developed.
 * @throws UnreadableImageError when the file is not a RAW file with the structure of TIFF, or has no JPEG image.
 */
export async function readRawPreview(read: ReadPart, sizeBytes: number): Promise<Blob> {
  const file = await openTiff(read)
  const directories = await directoriesOf(file)
  const orientation = await numberIn(file, directories[0]?.fields.get(tags.orientation))
  const places = (await Promise.all(directories.map((directory) => placesIn(file, directory)))).flat()
  const largestFirst = places
    .filter(({ start, length }) => length > 0 && length <= maxImageBytes && start + length <= sizeBytes)
    .toSorted((a, b) => b.length - a.length)
  for (const { start, length } of largestFirst) {
    const head = await readJpegHead((at, count) => read(start + at, count), length)
    if (head === null) continue
    return withOrientation(await read(start, length), head.exifAt === null ? orientation : undefined)
  }
  throw new UnreadableImageError('it contains no preview')
}

/** Reads the chain of directories and those below each of them. Damaged ones are left out. */
async function directoriesOf(file: TiffFile): Promise<readonly TiffDirectory[]> {
  const found: TiffDirectory[] = []
  for await (const directory of readChain(file, file.firstDirectory, maxDirectories)) {
    found.push(directory)
    for (const at of await withFallback(
      numbersIn(file, directory.fields.get(tags.subDirectories), maxBelow),
      [],
    )) {
      const below = await withFallback(readTiffDirectory(file, at), null)
      if (below !== null) found.push(below)
    }
  }
  return found
}

/** Returns the locations of the JPEG images in a directory: an embedded JPEG, the only strip, or a field of Panasonic. */
async function placesIn(file: TiffFile, { fields }: TiffDirectory): Promise<readonly JpegPlace[]> {
  const number = (tag: number): Promise<number | undefined> =>
    withFallback(numberIn(file, fields.get(tag)), undefined)
  const pairs = [[await number(tags.jpegOffset), await number(tags.jpegLength)]]
  const isJpeg = jpegCompressions.includes((await number(tags.compression)) ?? 0)
  if (isJpeg && fields.get(tags.stripOffsets)?.count === 1)
    pairs.push([await number(tags.stripOffsets), await number(tags.stripByteCounts)])
  const inField = fields.get(tags.jpegFromRaw)
  if (inField !== undefined && inField.inline === null) pairs.push([inField.at, inField.count])
  return pairs.flatMap(([start, length]) =>
    start === undefined || length === undefined ? [] : [{ start, length }],
  )
}
