import type { ByteRange } from './ranges.ts'

export type SeveralParts = {
  readonly type: string
  readonly sizeBytes: number
  /** All parts with what stands between them, read one after the other. */
  readonly body: (bytes: (part: ByteRange) => AsyncIterable<Uint8Array>) => AsyncIterable<string | Uint8Array>
}

/** A few parts of one file as `multipart/byteranges` (RFC 9110 14.6). The boundary must be unguessable, so that no file holds it. */
export function severalParts(asked: {
  readonly parts: readonly ByteRange[]
  readonly sizeBytes: number
  readonly boundary: string
  readonly type: string
}): SeveralParts {
  const { parts, sizeBytes, boundary, type } = asked
  const heads = parts.map(
    (part) =>
      `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: ${contentRange(part, sizeBytes)}\r\n\r\n`,
  )
  const end = `\r\n--${boundary}--\r\n`
  const textBytes = heads.reduce((sum, head) => sum + head.length, end.length)
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    sizeBytes: parts.reduce((sum, part) => sum + part.end - part.start, textBytes),
    body: async function* (bytes) {
      for (const [at, part] of parts.entries()) {
        yield heads[at] ?? ''
        yield* bytes(part)
      }
      yield end
    },
  }
}

export const contentRange = ({ start, end }: ByteRange, sizeBytes: number): string =>
  `bytes ${start}-${end - 1}/${sizeBytes}`
