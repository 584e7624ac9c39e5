import type { ByteRange } from './ranges.ts'

/** A `multipart/byteranges` body of known length. */
export type MultipartBody = {
  readonly type: string
  readonly sizeBytes: number
  /** Streams all parts and the delimiters between them. `bytes` reads the bytes of one part. */
  readonly body: (bytes: (part: ByteRange) => AsyncIterable<Uint8Array>) => AsyncIterable<string | Uint8Array>
}

/**
 * Builds a `multipart/byteranges` body with several parts of a file (RFC 9110 14.6). The boundary must be unguessable,
 * so that no file can contain it.
 */
export function multipartBody(options: {
  readonly parts: readonly ByteRange[]
  readonly sizeBytes: number
  readonly boundary: string
  readonly type: string
}): MultipartBody {
  const { parts, sizeBytes, boundary, type } = options
  const heads = parts.map(
    (part) =>
      `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: ${contentRange(part, sizeBytes)}\r\n\r\n`,
  )
  const end = `\r\n--${boundary}--\r\n`
  const delimiterBytes = heads.reduce((sum, head) => sum + head.length, end.length)
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    sizeBytes: parts.reduce((sum, part) => sum + part.end - part.start, delimiterBytes),
    body: async function* (bytes) {
      for (const [index, part] of parts.entries()) {
        yield heads[index] ?? ''
        yield* bytes(part)
      }
      yield end
    },
  }
}

/** Formats the value of the header `Content-Range` for one part. */
export const contentRange = ({ start, end }: ByteRange, sizeBytes: number): string =>
  `bytes ${start}-${end - 1}/${sizeBytes}`
