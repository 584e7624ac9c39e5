import type { Bytes, ReadPart } from './tags.ts'

/** Size of a request, so that the small steps of a parser need few of them. Most tags with a cover fit in two. */
const requestBytes = 256 * 1024

/** Limits for one file, so that a damaged file costs little. They suffice for the largest tag. */
const maxBytes = 4 * 1024 * 1024
const maxRequests = 12

/**
 * Returns a function that reads parts of a file over HTTP. It fails for a file that needs too many bytes, or when the
 * server sends no parts.
 */
export function createRangeReader(address: string, signal: AbortSignal): ReadPart {
  let loaded: { readonly startAt: number; readonly bytes: Bytes } = { startAt: 0, bytes: new Uint8Array() }
  let requests = 0
  let loadedBytes = 0
  return async (offset, length) => {
    const { startAt, bytes } = loaded
    if (offset >= startAt && offset + length <= startAt + bytes.length)
      return bytes.slice(offset - startAt, offset - startAt + length)
    const wanted = Math.max(length, requestBytes)
    requests += 1
    loadedBytes += wanted
    if (requests > maxRequests || loadedBytes > maxBytes)
      throw new Error('The tags of the file are too large.')
    const response = await fetch(address, {
      headers: { range: `bytes=${offset}-${offset + wanted - 1}` },
      signal,
    })
    if (response.status === 416) return new Uint8Array()
    if (response.status !== 206) {
      await response.body?.cancel()
      throw new Error('The server sends no parts.')
    }
    loaded = { startAt: offset, bytes: new Uint8Array(await response.arrayBuffer()) }
    return loaded.bytes.slice(0, length)
  }
}
