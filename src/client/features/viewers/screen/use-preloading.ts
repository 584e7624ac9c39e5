import { useEffect } from 'react'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { preloadAddressOf } from '../server-pictures.ts'
import type { ViewedFile } from '../viewer.ts'
import type { Siblings } from './siblings.ts'

/** Describes another file of the folder for its viewer. Null for a file that the user may not read. */
export type ViewedEntry = (entry: ListedEntry) => ViewedFile | null

/**
 * Fetches and decodes the images before and after the open file, so that they are shown at once. What has not arrived when they are
 * neighbours no more is aborted.
 */
export function usePreloading(
  { previous, next }: Pick<Siblings, 'previous' | 'next'>,
  viewedOf: ViewedEntry,
): void {
  const addresses = [next, previous].flatMap((entry) => addressOf(entry, viewedOf) ?? []).join(' ')
  useEffect(() => {
    if (addresses === '') return undefined
    const images = addresses.split(' ').map((address) => {
      const image = new Image()
      image.fetchPriority = 'low'
      image.src = address
      // The browser keeps the decoded pixels only while a reference to the image exists.
      image.decode().catch(() => undefined)
      return image
    })
    return () => {
      // The viewer of the file that is open now has the same image, and its request goes on.
      for (const image of images) if (!image.complete) image.src = ''
    }
  }, [addresses])
}

/** Returns the address of the image that a viewer shows of an entry first, which contains no space, or null. */
function addressOf(entry: ListedEntry | null, viewedOf: ViewedEntry): string | null {
  const viewed = entry?.type === 'image' ? viewedOf(entry) : null
  return viewed === null ? null : preloadAddressOf(viewed)
}
