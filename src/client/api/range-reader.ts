import type { Bytes, ReadPart } from '../../shared/photos/read-part.ts'

export type RangeReaderOptions = {
  readonly signal: AbortSignal
  /** Smallest size of a request, in bytes, so that the small steps of a parser need few requests. */
  readonly requestBytes: number
  /** Limits for one file, so that a damaged file causes little traffic. */
  readonly maxBytes: number
  readonly maxRequests: number
}

/**
 * Number of parts that are kept in memory, because parsers often go back and forth between a directory and its values.
 */
const keptParts = 8

/**
 * Returns a function that reads parts of a file over HTTP. It fails for a file that needs too many bytes or changes
 * meanwhile, and when the server sends no parts.
 */
export function createRangeReader(address: string, options: RangeReaderOptions): ReadPart {
  const { signal, requestBytes, maxBytes, maxRequests } = options
  let loaded: readonly { readonly startAt: number; readonly bytes: Bytes }[] = []
  let requests = 0
  let requestedBytes = 0
  let version: string | null = null
  return async (offset, length) => {
    const known = loaded.find(
      ({ startAt, bytes }) => offset >= startAt && offset + length <= startAt + bytes.length,
    )
    if (known !== undefined) return known.bytes.slice(offset - known.startAt, offset - known.startAt + length)
    const wanted = Math.max(length, requestBytes)
    requests += 1
    requestedBytes += wanted
    if (requests > maxRequests || requestedBytes > maxBytes)
      throw new Error('Too much of the file would have to be read.')
    const response = await fetch(address, {
      headers: { range: `bytes=${offset}-${offset + wanted - 1}` },
      signal,
    })
    if (response.status === 416) return new Uint8Array()
    const etag = response.headers.get('etag')
    version ??= etag
    if (response.status !== 206 || etag !== version) {
      await response.body?.cancel()
      throw new Error('The server sends no parts of this version of the file.')
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    loaded = [{ startAt: offset, bytes }, ...loaded.slice(0, keptParts - 1)]
    return bytes.slice(0, length)
  }
}
