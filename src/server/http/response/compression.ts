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

/** A content encoding of HTTP that the server can produce. */
export type Encoding = 'zstd' | 'br' | 'gzip'

/**
 * All encodings use their fastest level, because a higher level would delay the listing of a large folder and hardly
 * make it smaller.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzipOptions = { level: 1 }
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

type ContentCoding = {
  readonly whole: (bytes: Uint8Array) => Promise<Buffer>
  readonly stream: () => Transform & { flush(done: () => void): void }
}

const zstdWhole = promisify(zstdCompress)
const brotliWhole = promisify(brotliCompress)
const gzipWhole = promisify(gzip)

export const contentCodings: Readonly<Record<Encoding, ContentCoding>> = {
  zstd: {
    whole: (bytes) => zstdWhole(bytes, zstdOptions),
    stream: () => createZstdCompress(zstdOptions),
  },
  br: {
    whole: (bytes) => brotliWhole(bytes, brotliOptions),
    stream: () => createBrotliCompress(brotliOptions),
  },
  gzip: {
    whole: (bytes) => gzipWhole(bytes, gzipOptions),
    stream: () => createGzip(gzipOptions),
  },
}

/** Returns the first of the offered encodings that the client accepts. Null when it accepts none of them. */
export function acceptedEncoding<E extends string>(
  header: string | undefined,
  offered: readonly E[],
): E | null {
  if (header === undefined) return null
  const accepted = new Map(header.split(',').map(readChoice))
  const isAccepted = (name: string): boolean => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return offered.find(isAccepted) ?? null
}

function readChoice(text: string): readonly [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((part) => part.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}
