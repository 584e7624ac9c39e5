import type { Duplex } from 'node:stream'
import { AppError } from '../../../../shared/domain/failure.ts'
import { pipeThrough } from '../../compressions/pipe-through.ts'
import type { PackedSource } from '../packed/packed-file.ts'
import { readRange } from '../packed/read-range.ts'
import { windowHeadBytes } from './decoder-windows.ts'

/** A decoder of Node that counts the compressed bytes that it has used. */
type CountingDecoder = Duplex & { readonly bytesWritten: number }

/** The number of streams in a file that are free, and the average size in bytes that further ones must have. */
const [freeStreams, leastStreamBytes] = [1000, 512]

/**
 * Decompresses a file that may consist of several streams, one after the other. Node's decoders of zstd and Brotli end with
 * the first stream, so that a new decoder continues where the last one has ended. `open` gets the first bytes of a stream.
 */
export async function* decompressStreams(
  source: PackedSource,
  open: (head: Buffer) => CountingDecoder,
): AsyncGenerator<Uint8Array, void> {
  const { sizeBytes, bytes } = source
  const maxStreams = freeStreams + sizeBytes / leastStreamBytes
  let start = 0
  for (let streams = 0; start < sizeBytes; streams += 1) {
    const decoder = open(await readRange(source, start, start + windowHeadBytes))
    yield* pipeThrough(bytes({ start, end: sizeBytes }), decoder)
    start += decoder.bytesWritten
    if (decoder.bytesWritten === 0 || streams > maxStreams)
      throw new AppError('undecodable', { reason: 'the compressed data is damaged' })
  }
}
