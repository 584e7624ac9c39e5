import { useOpened, whenAborted } from '../frame/use-opened.ts'
import type { ViewedFile } from '../viewer.ts'
import { damagedReasonOf } from '../zip/damaged-reason-of.ts'
import { readRasterImage } from '../zip/raster-image.ts'
import { type Comic, openComic } from './comic.ts'

/** Opens a comic. Returns null while it is opened. */
export function useComic(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onBroken: (reason?: string) => void,
): Comic | null {
  return useOpened({
    key: `${address} ${sizeBytes}`,
    open: (signal) => openComic({ address, sizeBytes }, signal),
    onFailed: (error) => onBroken(damagedReasonOf(error)),
  })
}

/** The image of a page as a URL, null while it is loaded, or `failed`. */
export type PageImage = { readonly url: string } | 'failed' | null

/** Loads the image of a page while it is needed, and releases its memory afterwards. */
export function usePageImage({ archive, pages }: Comic, index: number, isNeeded: boolean): PageImage {
  const entry = isNeeded ? pages[index] : undefined
  return useOpened<PageImage>({
    key: entry === undefined ? null : String(entry.start),
    open: async (signal) => {
      if (entry === undefined) return null
      const url = URL.createObjectURL(await readRasterImage(archive, entry, signal))
      whenAborted(signal, () => URL.revokeObjectURL(url))
      return { url }
    },
    onFailed: () => 'failed',
  })
}
