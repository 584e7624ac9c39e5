import { compareNames } from '../../../../shared/domain/sorting.ts'
import type { ViewedFile } from '../viewer.ts'
import { openZip, type ZipArchive } from '../zip/open-zip.ts'
import { isRasterImage } from '../zip/raster-image.ts'
import type { ZipEntry } from '../zip/zip-directory.ts'

/** An open comic: an archive whose images are the pages. */
export type Comic = { readonly archive: ZipArchive; readonly pages: readonly ZipEntry[] }

/**
 * Opens a comic.
 * @throws ZipError, CallError when the server refuses, an error for an archive without images, and the reason of the signal.
 */
export async function openComic(
  file: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<Comic> {
  const archive = await openZip(file, signal)
  const pages = pagesAmong(archive.entries)
  if (pages.length === 0) throw new Error('The archive has no images.')
  return { archive, pages }
}

/** Returns the pages in the order in which listings show their names. Hidden files of other programs are left out. */
export const pagesAmong = <T extends { readonly name: string }>(entries: readonly T[]): readonly T[] =>
  entries
    .filter(({ name }) => isRasterImage(name) && !/(^|\/)(\.[^/]*$|__MACOSX\/)/.test(name))
    .toSorted((a, b) => compareNames(a.name, b.name))
