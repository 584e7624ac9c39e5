import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { Pool } from '../../workers/pool.ts'
import { joined } from './joined.ts'
import { through } from './through.ts'

export type Compression = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

const mebi = 1024 * 1024
/** What bzip2 sorts at once at most, and so the most that makes sense as a stream of its own. */
const bzip2BlockBytes = 900_000

/** Levels are chosen for a stream that somebody waits for: most of what can be gained, at a fraction of the time. */
const brotliQuality = 4
const zstdLevel = 3
const xzPreset = 1

export const gzip: Compression = (chunks) => through(chunks, createGzip())

export const brotli: Compression = (chunks) =>
  through(chunks, createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }))

export const zstd: Compression = (chunks) =>
  through(chunks, createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: zstdLevel } }))

export async function* lz4(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const { compressFrame } = await import('lz4-napi')
  yield* joined(chunks, {
    blockBytes: 4 * mebi,
    atOnce: 2,
    compress: (block) => compressFrame(block, { contentChecksum: true }),
  })
}

export async function* xz(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const { default: lzma } = await import('lzma-native')
  yield* joined(chunks, {
    blockBytes: 4 * mebi,
    atOnce: 2,
    compress: (block) =>
      new Promise((resolve, reject) => {
        lzma.compress(block, xzPreset, (packed, error) => (packed === null ? reject(error) : resolve(packed)))
      }),
  })
}

/** These two block while they work, so they do it in threads. */
export const bzip2 =
  (threads: Pool): Compression =>
  (chunks) =>
    joined(chunks, {
      blockBytes: bzip2BlockBytes,
      atOnce: 3,
      compress: (block) => threads.run<Uint8Array>('bzip2', block),
    })

export const snappy =
  (threads: Pool): Compression =>
  (chunks) =>
    joined(chunks, {
      blockBytes: mebi,
      atOnce: 3,
      compress: (block) => threads.run<Uint8Array>('snappy', block),
    })
