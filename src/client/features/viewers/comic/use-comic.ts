import { useEffect, useEffectEvent, useState } from 'react'
import type { ViewedFile } from '../viewer.ts'
import { damagedReasonOf } from '../zip/damaged-reason-of.ts'
import { readRasterImage } from '../zip/raster-image.ts'
import { type Comic, openComic } from './comic.ts'

/** Opens a comic. Returns null while it is opened. */
export function useComic(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onBroken: (reason?: string) => void,
): Comic | null {
  const [comic, setComic] = useState<Comic | null>(null)
  const reportBroken = useEffectEvent(onBroken)
  useEffect(() => {
    const abort = new AbortController()
    const open = async (): Promise<void> => {
      const opened = await openComic({ address, sizeBytes }, abort.signal)
      if (abort.signal.aborted) return
      if (opened === null) reportBroken()
      else setComic(opened)
    }
    open().catch((error: unknown) => {
      if (!abort.signal.aborted) reportBroken(damagedReasonOf(error))
    })
    return () => abort.abort()
  }, [address, sizeBytes])
  return comic
}

/** The image of a page as a URL, null while it is loaded, or `failed`. */
export type PageImage = { readonly url: string } | 'failed' | null

/** Loads the image of a page while it is needed, and releases its memory afterwards. */
export function usePageImage({ archive, pages }: Comic, index: number, isNeeded: boolean): PageImage {
  const [image, setImage] = useState<PageImage>(null)
  const entry = pages[index]
  useEffect(() => {
    if (!isNeeded || entry === undefined) return undefined
    const abort = new AbortController()
    let url: string | null = null
    const load = async (): Promise<void> => {
      const blob = await readRasterImage(archive, entry, abort.signal)
      if (abort.signal.aborted) return
      url = URL.createObjectURL(blob)
      setImage({ url })
    }
    load().catch(() => {
      if (!abort.signal.aborted) setImage('failed')
    })
    return () => {
      abort.abort()
      if (url !== null) URL.revokeObjectURL(url)
      setImage(null)
    }
  }, [archive, entry, isNeeded])
  return image
}
