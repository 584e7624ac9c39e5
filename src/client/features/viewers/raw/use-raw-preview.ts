import { useEffect, useState } from 'react'
import { createRangeReader } from '../../../api/range-reader.ts'
import { readRawPreview } from '../../../photos/raw-preview.ts'
import type { ViewedFile } from '../viewer.ts'

/** Limits for one file. Its directories need a few requests, and its image is read with one. */
const limitsFor = (sizeBytes: number) => ({
  requestBytes: 64 * 1024,
  maxBytes: sizeBytes + 16 * 1024 * 1024,
  maxRequests: 300,
})

/**
 * Loads the image that is stored in a RAW file. Returns its URL, which is valid while the component is mounted, or its
 * state: `loading` or `failed`.
 */
export function useRawPreview({ address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>): string {
  const [preview, setPreview] = useState<string>('loading')
  useEffect(() => {
    const leaving = new AbortController()
    let url: string | null = null
    const read = createRangeReader(address, { ...limitsFor(sizeBytes), signal: leaving.signal })
    const show = async (): Promise<void> => {
      const image = await readRawPreview(read, sizeBytes)
      if (leaving.signal.aborted) return
      url = URL.createObjectURL(image)
      setPreview(url)
    }
    show().catch(() => {
      if (!leaving.signal.aborted) setPreview('failed')
    })
    return () => {
      leaving.abort()
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [address, sizeBytes])
  return preview
}
