import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'

/** A content encoding (RFC 9110 8.4) that the server can produce. */
export type ContentEncoding = 'zstd' | 'br' | 'gzip'

/**
 * All encodings use their fastest level, because higher levels would delay the listing of a large folder and hardly
 * reduce its size.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzipOptions = { level: 1 }
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

type ContentCoding = {
  readonly compress: (bytes: Uint8Array) => Promise<Buffer>
  readonly createStream: () => Transform & { flush(done: () => void): void }
}

const zstdWhole = promisify(zstdCompress)
const brotliWhole = promisify(brotliCompress)
const gzipWhole = promisify(gzip)

export const contentCodings: Readonly<Record<ContentEncoding, ContentCoding>> = {
  zstd: {
    compress: (bytes) => zstdWhole(bytes, zstdOptions),
    createStream: () => createZstdCompress(zstdOptions),
  },
  br: {
    compress: (bytes) => brotliWhole(bytes, brotliOptions),
    createStream: () => createBrotliCompress(brotliOptions),
  },
  gzip: {
    compress: (bytes) => gzipWhole(bytes, gzipOptions),
    createStream: () => createGzip(gzipOptions),
  },
}

/** Returns the first offered encoding that the client accepts; null when the client accepts none of them. */
export function acceptedEncoding<E extends string>(
  header: string | undefined,
  offered: readonly E[],
): E | null {
  if (header === undefined) return null
  const accepted = new Map(header.split(',').map(parseAcceptedEncoding))
  const isAccepted = (name: string): boolean => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return offered.find(isAccepted) ?? null
}

function parseAcceptedEncoding(text: string): readonly [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}
