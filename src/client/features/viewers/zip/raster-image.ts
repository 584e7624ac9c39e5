import { imageHeadBytes, imageSizeOf } from '../../../../shared/photos/image-size.ts'
import { splitName } from '../../../../shared/domain/names.ts'
import type { ZipArchive } from './open-zip.ts'
import type { ZipEntry } from './zip-directory.ts'
import { ZipError } from './zip-error.ts'

/** The largest file of an image, in bytes. Scanned pages have up to 20 MB. */
const maxImageBytes = 64 * 1024 * 1024

/** The largest drawing of an image. A browser needs four bytes for each pixel. */
const maxPixels = 100_000_000

/**
 * The types of the images that are shown, by extension. SVG and HTML are missing, because a script in them would run when
 * the user opens the image in a tab of its own.
 */
const rasterTypes: ReadonlyMap<string, string> = new Map([
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.jpe', 'image/jpeg'],
  ['.jfif', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.bmp', 'image/bmp'],
])

const rasterTypeOf = (name: string): string | undefined =>
  rasterTypes.get(splitName(name).extension.toLowerCase())

/** Returns true for the name of an image that browsers can show. */
export const isRasterImage = (name: string): boolean => rasterTypeOf(name) !== undefined

/**
 * Reads an image of an archive.
 * @throws ZipError, CallError when the server refuses, and the reason of the signal.
 */
export async function readRasterImage(
  archive: ZipArchive,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<Blob> {
  const type = rasterTypeOf(entry.name)
  if (type === undefined) throw new ZipError('unsupported')
  const bytes = await archive.read(entry, { maxBytes: maxImageBytes, signal })
  const size = imageSizeOf(bytes.subarray(0, imageHeadBytes))
  if (size !== null && size.width * size.height > maxPixels) throw new ZipError('too-large')
  return new Blob([bytes], { type })
}
