import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { archiveNameOf } from '../../../shared/domain/archive-names.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import type { CompressionThreads } from '../compressions/thread.ts'
import { inOrder } from '../compressions/compress-in-blocks.ts'
import { pipeThrough } from '../compressions/pipe-through.ts'
import { bzip2Blocks } from './decompression/bzip2-blocks.ts'
import { lz4Decompress } from './decompression/lz4.ts'
import { snappyDecompress } from './decompression/snappy.ts'
import { formatHeadBytes, formatOfContent, type PackedFormat } from './content-format.ts'
import { zstdWindowBytes } from './decompression/decoder-windows.ts'
import { decompressStreams } from './decompression/decompress-streams.ts'
import type { MemberReader, PackedMember, PackedSource } from './packed/packed-file.ts'
import { readTar } from './tar/read-tar.ts'
import { readRange } from './packed/read-range.ts'
import { untilAborted } from './packed/until-aborted.ts'
import { readZip } from './zip/read-zip.ts'
import { xzDecompress } from './decompression/xz.ts'
import { createPeak } from './packed/archive-memory.ts'
import { maxUnpackedBytes } from './packed/unpacked-limit.ts'

/**
 * Size of the chunks that Node's decoders return, in bytes. Each chunk takes a round trip to a thread of Node's pool.
 * With Node's default of 16 KiB, the round trips take longer than unpacking well compressed data.
 */
const chunkSize = 128 * 1024

const wholeOf = ({ sizeBytes, bytes }: PackedSource): AsyncIterable<Uint8Array> =>
  bytes({ start: 0, end: sizeBytes })

/** Decompresses a whole file, and counts what the decoder keeps in memory. */
type Decoder = (source: PackedSource, memory: ByteReservation) => AsyncIterable<Uint8Array>

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
  // A compressed tar file always contains something. A file without a byte was cut off.
  if (bytes === 0) throw new AppError('cut-off')
}

/** The codes of zlib and of lzma for data that end too early. */
const endCodes: ReadonlySet<unknown> = new Set(['Z_BUF_ERROR', 'LZMA_BUF_ERROR'])

/** Errors of decoders mean that the archive is damaged. Errors of the storage keep their codes. */
async function* withFailures(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code, name } = error as { code?: unknown; name?: unknown }
    throw new AppError(endCodes.has(code) || endCodes.has(name) ? 'cut-off' : 'undecodable', { cause: error })
  }
}

/** Decompresses by a stream, which reads several streams in one file by itself. */
const streamed = (open: () => Promise<Duplex> | Duplex): Decoder =>
  async function* (source) {
    yield* pipeThrough(wholeOf(source), await open())
  }

/** Two blocks of a bzip2 file are decompressed at the same time. Each result has up to 47 MB. */
const concurrentBlocks = 2

/** The blocks of an LZ4 file in memory for one reader: the one that is decompressed, and the one before it, which is being sent. */
const heldLz4Blocks = 2

/** The largest window of Brotli, in bytes. Node's decoder does not accept the larger ones of a later version of the format. */
const brotliWindowBytes = 16 * 1024 * 1024

/** The smallest window of zstd that a decoder can be limited to, as a power of two. */
const minWindowLog = 10

function createZstdDecoder(windowBytes: number) {
  const windowLog = Math.max(minWindowLog, Math.ceil(Math.log2(windowBytes)))
  return createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: windowLog } })
}

const decoders = (
  threads: CompressionThreads,
): Readonly<Record<Exclude<PackedFormat, 'zip' | 'tar'>, Decoder>> => ({
  gzip: streamed(() => createGunzip({ chunkSize })),
  zstd(source, memory) {
    const countWindow = createPeak(memory)
    return decompressStreams(source, (head) => {
      const windowBytes = zstdWindowBytes(head)
      countWindow(windowBytes)
      return createZstdDecoder(windowBytes)
    })
  },
  brotli(source, memory) {
    memory.add(brotliWindowBytes)
    return decompressStreams(source, () => createBrotliDecompress({ chunkSize }))
  },
  xz: xzDecompress,
  bzip2(source, memory) {
    const countBlocks = createPeak(memory)
    return inOrder(bzip2Blocks(wholeOf(source)), concurrentBlocks, async (block) => {
      const bytes = await threads.run('bunzip2', block)
      countBlocks(concurrentBlocks * bytes.length)
      return bytes
    })
  },
  lz4(source, memory) {
    const countBlocks = createPeak(memory)
    return lz4Decompress(wholeOf(source), (block) => {
      countBlocks(heldLz4Blocks * block.maxBytes)
      return threads.run('unlz4', block)
    })
  },
  snappy: (source) => snappyDecompress(wholeOf(source)),
})

/** Returns a reader of tar files that are compressed. */
const compressedTar =
  (decode: Decoder): MemberReader =>
  (source, decodeName, bounds) =>
    readTar(
      bounded(untilAborted(withFailures(decode(source, bounds.memory)), bounds.signal), source.sizeBytes),
      decodeName,
      bounds,
    )

function memberReaders(threads: CompressionThreads): Readonly<Record<PackedFormat, MemberReader>> {
  const { gzip, zstd, brotli, xz, bzip2, lz4, snappy } = decoders(threads)
  return {
    zip: readZip,
    tar: (source, decodeName, bounds) =>
      readTar(untilAborted(wholeOf(source), bounds.signal), decodeName, bounds),
    gzip: compressedTar(gzip),
    zstd: compressedTar(zstd),
    brotli: compressedTar(brotli),
    xz: compressedTar(xz),
    bzip2: compressedTar(bzip2),
    lz4: compressedTar(lz4),
    snappy: compressedTar(snappy),
  }
}

/** The formats by the extensions of names. */
const formatsByExtension: Readonly<Record<string, PackedFormat>> = {
  '.zip': 'zip',
  '.tar': 'tar',
  '.tar.gz': 'gzip',
  '.tgz': 'gzip',
  '.tar.zst': 'zstd',
  '.tzst': 'zstd',
  '.tar.br': 'brotli',
  '.tar.xz': 'xz',
  '.txz': 'xz',
  '.tar.bz2': 'bzip2',
  '.tbz2': 'bzip2',
  '.tbz': 'bzip2',
  '.tar.lz4': 'lz4',
  '.tar.sz': 'snappy',
}

export type ReaderFinder = (name: string) => { readonly read: MemberReader; readonly stem: string }

/**
 * Creates a function that returns the reader of an archive, and the name without the extension. It throws
 * `wrong-media-type` for another file. The name decides whether a file is an archive, and its first bytes decide in which
 * format it is read, because names are often wrong.
 */
export function createReaderFinder(threads: CompressionThreads): ReaderFinder {
  const readers = memberReaders(threads)
  const readAs = (named: PackedFormat): MemberReader =>
    async function* (source, decode, bounds): AsyncGenerator<PackedMember, void> {
      const format = formatOfContent(await readRange(source, 0, formatHeadBytes)) ?? named
      if (format === '7z' || format === 'rar')
        throw new AppError('wrong-media-type', {
          reason: `this is a ${format} archive, which cannot be read`,
        })
      yield* readers[format](source, decode, bounds)
    }
  return (name) => {
    const archive = archiveNameOf(name)
    const format = archive === null ? undefined : formatsByExtension[archive.extension]
    if (archive === null || format === undefined)
      throw new AppError('wrong-media-type', { reason: 'this is not an archive that can be read' })
    return { read: readAs(format), stem: archive.stem }
  }
}
