import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { ThreadPool } from '../../workers/thread-pool.ts'
import { inOrder } from '../compressions/compress-in-blocks.ts'
import { pipeThrough } from '../compressions/pipe-through.ts'
import { bzip2Blocks } from './decompression/bzip2-blocks.ts'
import { lz4Decompress } from './decompression/lz4.ts'
import { snappyDecompress } from './decompression/snappy.ts'
import type { MemberReader, PackedSource } from './packed-file.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'
import { maxUnpackedBytes } from './unpacked-limit.ts'

/** The memory that a decoder may use, in bytes. It is the usual limit for archives that anybody has packed. */
const decoderBytes = 128 * 1024 * 1024
const windowLog = Math.log2(decoderBytes)

/**
 * Size of the chunks that Node's decoders return, in bytes. Each chunk takes a round trip to a thread of Node's pool.
 * With Node's default of 16 KiB, the round trips take longer than unpacking well compressed data.
 */
const chunkSize = 128 * 1024

type ArchiveReader = { readonly extensions: readonly string[]; readonly read: MemberReader }

const wholeOf = ({ sizeBytes, bytes }: PackedSource): AsyncIterable<Uint8Array> =>
  bytes({ start: 0, end: sizeBytes })

/** Returns a reader of tar files that are compressed. `open` creates the stream that decompresses them. */
const compressedTar =
  (open: () => Promise<Duplex> | Duplex): MemberReader =>
  (source) =>
    readTar(bounded(decompressed(source, open), source.sizeBytes))

/** The bytes around the members of a tar file: a header and a padding for each of them. */
const framingBytes = limits.archiveMembers * 1024

/**
 * Ends the decompression of a tar file that expands beyond the limit. Bytes that belong to no member are decompressed,
 * too, so the sizes of the members do not bound the work.
 */
async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  packedBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const maxBytes = maxUnpackedBytes(packedBytes) + framingBytes
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('too-large', { reason: 'the archive expands beyond the limit' })
    yield chunk
  }
}

async function* decompressed(source: PackedSource, open: () => Promise<Duplex> | Duplex) {
  try {
    yield* pipeThrough(wholeOf(source), await open())
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('undecodable', { cause: error })
  }
}

/** Two blocks of a bzip2 file are decompressed at the same time. Each result has up to 47 MB. */
const concurrentBlocks = 2

/** Returns a reader of tar files whose compressed bytes are decompressed by our own reader of the format. */
const decodedTar =
  (decode: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): MemberReader =>
  (source) =>
    readTar(bounded(decode(wholeOf(source)), source.sizeBytes))

/** The archives that can be read, by the extensions of their names. */
const archiveReaders = (threads: ThreadPool): readonly ArchiveReader[] => [
  { extensions: ['.zip'], read: readZip },
  { extensions: ['.tar'], read: (source) => readTar(wholeOf(source)) },
  { extensions: ['.tar.gz', '.tgz'], read: compressedTar(() => createGunzip({ chunkSize })) },
  {
    extensions: ['.tar.zst', '.tzst'],
    read: compressedTar(() =>
      createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: windowLog } }),
    ),
  },
  { extensions: ['.tar.br'], read: compressedTar(() => createBrotliDecompress({ chunkSize })) },
  {
    extensions: ['.tar.xz', '.txz'],
    read: compressedTar(async () => {
      const { default: lzma } = await import('lzma-native')
      return lzma.createDecompressor({ memlimit: decoderBytes })
    }),
  },
  {
    extensions: ['.tar.bz2', '.tbz2', '.tbz'],
    read: decodedTar((chunks) =>
      inOrder(bzip2Blocks(chunks), concurrentBlocks, (block) => threads.run<Uint8Array>('bunzip2', block)),
    ),
  },
  { extensions: ['.tar.lz4'], read: decodedTar(lz4Decompress) },
  { extensions: ['.tar.sz'], read: decodedTar(snappyDecompress) },
]

export type ReaderFinder = (name: string) => { readonly read: MemberReader; readonly stem: string }

/**
 * Creates a function that returns the reader of an archive, and the name without the extension. It throws
 * `wrong-media-type` for another file.
 */
export function createReaderFinder(threads: ThreadPool): ReaderFinder {
  const readers = archiveReaders(threads)
  return (name) => {
    const lowerCaseName = name.toLowerCase()
    for (const { extensions, read } of readers) {
      const extension = extensions.find((one) => lowerCaseName.endsWith(one) && name.length > one.length)
      if (extension !== undefined) return { read, stem: name.slice(0, -extension.length) }
    }
    throw new AppError('wrong-media-type', { reason: 'this is not an archive that can be read' })
  }
}
