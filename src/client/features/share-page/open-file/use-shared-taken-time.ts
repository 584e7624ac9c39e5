import { useEffect, useState } from 'react'
import type { TakenLine } from '../../../../shared/contract/previews.ts'
import { call } from '../../../api/call.ts'
import { isDrawing } from '../../viewers/image-names.ts'
import type { ViewedFile } from '../../viewers/viewer.ts'
import type { SharePath } from '../share-address.ts'

/**
 * Returns the time at which a shared photo was taken, in milliseconds since 1970 as if the camera had the time zone of the browser, or
 * null until the server has sent it, and for all other files. The photo itself is not requested, because that would be a download.
 */
export function useSharedTakenTime(
  path: SharePath,
  { type, name, sizeBytes, versionKey }: ViewedFile,
  token: string | undefined,
): number | null {
  const [taken, setTaken] = useState<{ readonly versionKey: string; readonly atMs: number } | null>(null)
  const isPhoto = type === 'image' && !isDrawing(name) && sizeBytes > 0
  useEffect(() => {
    if (!isPhoto) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const read = async (): Promise<void> => {
      const response = await call('public.taken', { path, query: { token }, signal })
      const [pair] = (await response.json()) as TakenLine
      if (pair !== undefined && !signal.aborted) setTaken({ versionKey, atMs: new Date(pair[1]).getTime() })
    }
    // The time of the last change stays on screen where the server knows no other time.
    read().catch(() => undefined)
    return () => closing.abort()
  }, [isPhoto, path, token, versionKey])
  return taken?.versionKey === versionKey ? taken.atMs : null
}
