import { useEffect, useState } from 'react'
import { isDrawing } from '../../viewers/image-names.ts'
import type { ViewedFile } from '../../viewers/viewer.ts'

/**
 * Returns the time at which a shared photo was taken, in milliseconds since 1970 as if the camera had the time zone of the browser, or
 * null until it has been read, and for all other files. The code that reads it is loaded with the first photo.
 */
export function useSharedTakenTime({ type, name, address, sizeBytes }: ViewedFile): number | null {
  const [taken, setTaken] = useState<{ readonly address: string; readonly atMs: number } | null>(null)
  const isPhoto = type === 'image' && !isDrawing(name) && sizeBytes > 0
  useEffect(() => {
    if (!isPhoto) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const read = async (): Promise<void> => {
      const { loadPhotoFacts } = await import('../../../photos/load-photo-facts.ts')
      const takenAt = (await loadPhotoFacts({ address, sizeBytes, signal }))?.takenAt ?? null
      if (takenAt !== null && !signal.aborted) setTaken({ address, atMs: new Date(takenAt).getTime() })
    }
    // The time of the last change stays on screen where a photo cannot be read.
    read().catch(() => undefined)
    return () => closing.abort()
  }, [isPhoto, address, sizeBytes])
  return taken?.address === address ? taken.atMs : null
}
