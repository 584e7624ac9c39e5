import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { CompressionThreads } from './thread.ts'
import { compressInBlocks } from './compress-in-blocks.ts'
import { loadLz4, loadLzma } from './native-packages.ts'
import { pipeThrough } from './pipe-through.ts'

export type Compressor = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

const mebi = 1024 * 1024
/** Maximum block size of bzip2 in bytes. Each block is compressed to a separate stream. */
const bzip2BlockBytes = 900_000

/**
 * Compression levels for archives that are compressed while the client waits: these levels save most of the possible
 * space in a fraction of the time that higher levels need.
 */
const brotliQuality = 4
const zstdLevel = 3
const xzPreset = 1

export const gzip: Compressor = (chunks) => pipeThrough(chunks, createGzip())

export const brotli: Compressor = (chunks) =>
  pipeThrough(chunks, createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }))

export const zstd: Compressor = (chunks) =>
  pipeThrough(chunks, createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: zstdLevel } }))

export async function* lz4(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const { compressFrame } = await loadLz4()
  yield* compressInBlocks(chunks, {
    blockBytes: 4 * mebi,
    concurrency: 2,
    compress: (block) => compressFrame(block, { contentChecksum: true }),
  })
}

export async function* xz(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const lzma = await loadLzma()
  yield* compressInBlocks(chunks, {
    blockBytes: 4 * mebi,
    concurrency: 2,
    compress: (block) =>
      new Promise((resolve, reject) => {
        lzma.compress(block, xzPreset, (packed, error) => (packed === null ? reject(error) : resolve(packed)))
      }),
  })
}

/** bzip2 and snappy compress synchronously, so they run in worker threads. */
export const bzip2 =
  (threads: CompressionThreads): Compressor =>
  (chunks) =>
    compressInBlocks(chunks, {
      blockBytes: bzip2BlockBytes,
      concurrency: 3,
      compress: (block) => threads.run('bzip2', block),
    })

export const snappy =
  (threads: CompressionThreads): Compressor =>
  (chunks) =>
    compressInBlocks(chunks, {
      blockBytes: mebi,
      concurrency: 3,
      compress: (block) => threads.run('snappy', block),
    })
