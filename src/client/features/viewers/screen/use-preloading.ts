import { useEffect } from 'react'
import { childOf, type Path } from '../../../../shared/domain/path.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { preloadAddressOf, viewedFile } from '../../viewers/viewed-file.ts'
import type { Siblings } from './siblings.ts'

/**
 * Fetches and decodes the images before and after the open file, so that they are shown at once. What has not arrived when they are
 * neighbours no more is aborted.
 */
export function usePreloading(folder: Path, { previous, next }: Pick<Siblings, 'previous' | 'next'>): void {
  const addresses = [next, previous].flatMap((entry) => addressOf(folder, entry) ?? []).join(' ')
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
function addressOf(folder: Path, entry: ListedEntry | null): string | null {
  const path = entry?.type === 'image' ? childOf(folder, entry.name) : null
  return entry === null || path === null ? null : preloadAddressOf(viewedFile(path, entry))
}
