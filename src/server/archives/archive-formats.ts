import type { CompressionThreads } from './compressions/thread.ts'
import { brotli, bzip2, gzip, lz4, snappy, xz, zstd, type Compressor } from './compressions/compressions.ts'
import { mergeChunks } from './merge-chunks.ts'
import type { MemberChunk } from './members/member.ts'
import { writeTar } from './tar/write-tar.ts'
import { writeZip } from './zip/write-zip.ts'

/** An archive format. All formats are listed in `archiveFormats`. */
export type ArchiveFormat = {
  /**
   * The extension of the archive's file name, with its leading dot. A request may name the format by the extension
   * without the leading dot (`tar.gz`) or without any dots (`targz`).
   */
  readonly extension: string
  readonly contentType: string
  /**
   * True when the format stores the CRC-32 of each file. The storage then computes the CRC-32 while it reads the file.
   */
  readonly needsCrc: boolean
  /** The memory that packing takes, in bytes. It is used while the client reads, which may be slow. */
  readonly packingBytes: number
  /** Yields the archive in chunks. A chunk is valid until the next chunk is requested. */
  readonly write: (batches: AsyncIterable<readonly MemberChunk[]>) => AsyncIterable<Uint8Array>
}

const mebibyte = 1024 * 1024
/** Packing needs less than this for the chunks that are read and sent. */
const plainBytes = mebibyte
/**
 * What compressors with large windows or blocks need, in bytes. Measured: 7 to 11 MB for each of 120 archives in xz, zstd and
 * bzip2.
 */
const compressorBytes = 12 * mebibyte

const compressedTar =
  (compression: Compressor): ArchiveFormat['write'] =>
  (batches) =>
    mergeChunks(splitBatches(compression(mergeChunks(writeTar(batches)))))

async function* splitBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[], void> {
  for await (const chunk of chunks) yield [chunk]
}

const plainTar = (extension: string, contentType: string, write: ArchiveFormat['write']): ArchiveFormat => ({
  extension,
  contentType,
  needsCrc: false,
  packingBytes: plainBytes,
  write,
})

const tar = (extension: string, contentType: string, write: ArchiveFormat['write']): ArchiveFormat => ({
  ...plainTar(extension, contentType, write),
  packingBytes: compressorBytes,
})

const archiveFormats = (threads: CompressionThreads): readonly ArchiveFormat[] => [
  {
    extension: '.zip',
    contentType: 'application/zip',
    needsCrc: true,
    packingBytes: plainBytes,
    write: (batches) => mergeChunks(writeZip(batches)),
  },
  plainTar('.tar', 'application/x-tar', (batches) => mergeChunks(writeTar(batches))),
  plainTar('.tar.gz', 'application/gzip', compressedTar(gzip)),
  tar('.tar.bz2', 'application/x-bzip2', compressedTar(bzip2(threads))),
  tar('.tar.xz', 'application/x-xz', compressedTar(xz)),
  tar('.tar.lz4', 'application/x-lz4', compressedTar(lz4)),
  tar('.tar.sz', 'application/x-snappy-framed', compressedTar(snappy(threads))),
  tar('.tar.br', 'application/x-brotli', compressedTar(brotli)),
  tar('.tar.zst', 'application/zstd', compressedTar(zstd)),
]

export type FormatFinder = {
  /**
   * Returns the format with a name in a request, for example `tar.gz` or `targz`. `zip`, `true` and an empty name mean
   * zip (contract 5.2, A4).
   */
  readonly ofAlgo: (algo: string) => ArchiveFormat | null
  /** Returns the format with the extension of a file's name. */
  readonly ofName: (name: string) => ArchiveFormat | null
}

export function createFormatFinder(threads: CompressionThreads): FormatFinder {
  const formats = archiveFormats(threads)
  const byName = new Map<string, ArchiveFormat>()
  for (const format of formats) {
    const name = format.extension.slice(1)
    byName.set(name, format)
    byName.set(name.replaceAll('.', ''), format)
  }
  const zip = byName.get('zip')
  return {
    ofAlgo: (algo) => (algo === '' || algo === 'true' ? zip : byName.get(algo)) ?? null,
    ofName: (name) => formats.find(({ extension }) => name.toLowerCase().endsWith(extension)) ?? null,
  }
}
