import type { ReadPart } from './read-part.ts'
import { findExif } from './find-exif.ts'
import {
  numberIn,
  numbersIn,
  openTiff,
  readTiffDirectory,
  tags,
  textIn,
  type TiffDirectory,
  type TiffFile,
} from './tiff-directories.ts'
import { withFallback } from './unreadable-image.ts'

/** The facts that a camera has written into a photo. A fact that the camera has not written is null. */
export type PhotoFacts = {
  /** The maker and the model. */
  readonly camera: string | null
  readonly lens: string | null
  /** The time of exposure, in seconds. */
  readonly exposureSeconds: number | null
  readonly fNumber: number | null
  readonly iso: number | null
  readonly focalLengthMm: number | null
  /** The local time at which the photo was taken, as `2026-11-25T18:30:00`. Cameras do not write their time zone. */
  readonly takenAt: string | null
  readonly place: PhotoPlace | null
}

/** The coordinates of the place where a photo was taken, in degrees. North and east are positive. */
export type PhotoPlace = { readonly latitude: number; readonly longitude: number }

/** The fields of EXIF 2.32, sections 4.6.5 and 4.6.6. */
const exifTags = {
  exposure: 0x829a,
  fNumber: 0x829d,
  iso: 0x8827,
  takenAt: 0x9003,
  focalLength: 0x920a,
  lens: 0xa434,
} as const
const gpsTags = { latitudeSide: 1, latitude: 2, longitudeSide: 3, longitude: 4 } as const

/**
 * Reads what a camera has written into a photo: a JPEG, PNG, WebP, HEIC, AVIF, TIFF or RAW file. Returns null when there is
 * nothing. Damaged fields are left out.
 */
export async function readPhotoFacts(read: ReadPart, sizeBytes: number): Promise<PhotoFacts | null> {
  const block = await openExif(read, sizeBytes)
  if (block === null) return null
  const { file, main } = block
  const exif = await directoryBelow(file, main, tags.exifDirectory)
  const gps = await directoryBelow(file, main, tags.gpsDirectory)
  const facts = {
    camera: await cameraIn(file, main),
    ...(await exposureIn(file, exif)),
    place: gps && (await placeIn(file, gps)),
  }
  return Object.values(facts).every((fact) => fact === null) ? null : facts
}

/** An EXIF block with its first directory. */
export type ExifBlock = { readonly file: TiffFile; readonly main: TiffDirectory }

/** Opens the EXIF block of an image, and reads its first directory. Returns null when there is none, or when it is damaged. */
export async function openExif(read: ReadPart, sizeBytes: number): Promise<ExifBlock | null> {
  const exifAt = await withFallback(findExif(read, sizeBytes), null)
  if (exifAt === null) return null
  const file = await withFallback(
    openTiff((at, length) => read(exifAt + at, length)),
    null,
  )
  const main = file && (await withFallback(readTiffDirectory(file, file.firstDirectory), null))
  return main && { file, main }
}

/** Returns the local time at which a photo was taken, as `takenAt` of its facts. */
export const takenTimeIn = async (file: TiffFile, exif: TiffDirectory | null): Promise<string | null> =>
  timeOf(await withFallback(textIn(file, exif?.fields.get(exifTags.takenAt)), null))

/** Reads the directory to which a field of another one leads. Returns null when there is none, or when it is damaged. */
export async function directoryBelow(
  file: TiffFile,
  { fields }: TiffDirectory,
  tag: number,
): Promise<TiffDirectory | null> {
  const at = await withFallback(numberIn(file, fields.get(tag)), undefined)
  return at === undefined ? null : withFallback(readTiffDirectory(file, at), null)
}

/** Returns maker and model. Many cameras repeat the maker in the model. */
async function cameraIn(file: TiffFile, { fields }: TiffDirectory): Promise<string | null> {
  const make = await textIn(file, fields.get(tags.make))
  const model = await textIn(file, fields.get(tags.model))
  if (make === null || model === null) return model ?? make
  const [brand = ''] = make.split(' ')
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`
}

async function exposureIn(
  file: TiffFile,
  exif: TiffDirectory | null,
): Promise<Omit<PhotoFacts, 'camera' | 'place'>> {
  const number = async (tag: number): Promise<number | null> => {
    const value = await withFallback(numberIn(file, exif?.fields.get(tag)), undefined)
    return value !== undefined && Number.isFinite(value) && value > 0 ? value : null
  }
  return {
    lens: await textIn(file, exif?.fields.get(exifTags.lens)),
    exposureSeconds: await number(exifTags.exposure),
    fNumber: await number(exifTags.fNumber),
    iso: await number(exifTags.iso),
    focalLengthMm: await number(exifTags.focalLength),
    takenAt: await takenTimeIn(file, exif),
  }
}

/** Converts `2026:11:25 18:30:00` to `2026-11-25T18:30:00`. Returns null for other texts, and for a clock that was never set. */
function timeOf(text: string | null): string | null {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text ?? '') ?? []
  const written = `${year}-${month}-${day}T${time}`
  return Number.isNaN(Date.parse(`${written}Z`)) ? null : written
}

async function placeIn(file: TiffFile, { fields }: TiffDirectory): Promise<PhotoPlace | null> {
  const coordinate = async (tag: number, sideTag: number, negativeSide: string): Promise<number | null> => {
    const values = await withFallback(numbersIn(file, fields.get(tag), 3), [])
    const [degrees = Number.NaN, minutes = 0, seconds = 0] = values
    const side = await textIn(file, fields.get(sideTag))
    const value = degrees + minutes / 60 + seconds / 3600
    return Number.isFinite(value) ? (side === negativeSide ? -value : value) : null
  }
  const latitude = await coordinate(gpsTags.latitude, gpsTags.latitudeSide, 'S')
  const longitude = await coordinate(gpsTags.longitude, gpsTags.longitudeSide, 'W')
  if (latitude === null || longitude === null) return null
  // Some cameras write zeros while they do not know the place.
  const isSomewhere = latitude !== 0 || longitude !== 0
  return isSomewhere && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : null
}
