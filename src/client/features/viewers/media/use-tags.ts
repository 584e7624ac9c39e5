import { useEffect, useState } from 'react'
import type { Bytes } from '../../../../shared/photos/read-part.ts'
import { createRangeReader } from '../../../api/range-reader.ts'
import { readTags } from './tags/read-tags.ts'
import { noTags } from './tags/tags.ts'

/** The texts of an audio file, and the URL of its cover or null. */
export type ShownTags = {
  readonly title: string | null
  readonly artist: string | null
  readonly album: string | null
  readonly cover: string | null
}

/** The largest tags with a cover fit in these limits. Most fit in two requests. */
const limits = { requestBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, maxRequests: 12 }

const nothing: ShownTags = { ...noTags, cover: null }

/** Reads the tags of an audio file. Without tags, or when they cannot be read, all of them are null. */
export function useTags(address: string): ShownTags {
  const [tags, setTags] = useState(nothing)
  useEffect(() => {
    const request = new AbortController()
    let cover: string | null = null
    const load = async (): Promise<void> => {
      const read = createRangeReader(address, { ...limits, signal: request.signal })
      const { cover: bytes, ...texts } = await readTags(read)
      if (request.signal.aborted) return
      cover = bytes === null ? null : coverUrl(bytes)
      setTags({ ...texts, cover })
    }
    // The file is played without its tags.
    load().catch(() => undefined)
    return () => {
      request.abort()
      if (cover !== null) URL.revokeObjectURL(cover)
      setTags(nothing)
    }
  }, [address])
  return tags
}

/** The first bytes of the formats in which covers are shown. An SVG is never shown, because it is a document. */
const formats: readonly (readonly [type: string, start: string])[] = [
  ['image/jpeg', '\u00FF\u00D8\u00FF'],
  ['image/png', '\u0089PNG'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF'],
]

/** Returns a URL for a cover, or null for a file that is not an image. */
function coverUrl(bytes: Bytes): string | null {
  const type = formats.find(([, start]) => startsWith(bytes, start))?.[0]
  return type === undefined ? null : URL.createObjectURL(new Blob([bytes], { type }))
}

/** The decoder for ISO 8859-1 is that of Windows 1252, so the bytes are compared. */
const startsWith = (bytes: Bytes, start: string): boolean =>
  Array.from(start).every((sign, index) => bytes[index] === sign.charCodeAt(0))
