import type { ThreadPool } from '../workers/thread-pool.ts'
import { brotli, bzip2, gzip, lz4, snappy, xz, zstd, type Compressor } from './compressions/compressions.ts'
import { mergeChunks } from './merge-chunks.ts'
import type { MemberPiece } from './members/member.ts'
import { writeTar } from './tar/write-tar.ts'
import { writeZip } from './zip/write-zip.ts'

/** An archive format. A new format is added as one entry of the list below. */
export type ArchiveFormat = {
  /**
   * The extension with its dot. The format's name in a request is the extension without the first dot, or without any
   * dot.
   */
  readonly extension: string
  readonly contentType: string
  /** True when the format stores the CRC-32 of each file; the storage then computes it while it reads the file. */
  readonly sums: boolean
  /** Yields the archive in pieces. A piece is valid until the next piece is requested. */
  readonly write: (batches: AsyncIterable<readonly MemberPiece[]>) => AsyncIterable<Uint8Array>
}

const tarred =
  (compression: Compressor): ArchiveFormat['write'] =>
  (batches) =>
    mergeChunks(eachAlone(compression(mergeChunks(writeTar(batches)))))

async function* eachAlone(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[], void> {
  for await (const chunk of chunks) yield [chunk]
}

const tar = (extension: string, contentType: string, write: ArchiveFormat['write']): ArchiveFormat => ({
  extension,
  contentType,
  sums: false,
  write,
})

const archiveFormats = (threads: ThreadPool): readonly ArchiveFormat[] => [
  {
    extension: '.zip',
    contentType: 'application/zip',
    sums: true,
    write: (batches) => mergeChunks(writeZip(batches)),
  },
  tar('.tar', 'application/x-tar', (batches) => mergeChunks(writeTar(batches))),
  tar('.tar.gz', 'application/gzip', tarred(gzip)),
  tar('.tar.bz2', 'application/x-bzip2', tarred(bzip2(threads))),
  tar('.tar.xz', 'application/x-xz', tarred(xz)),
  tar('.tar.lz4', 'application/x-lz4', tarred(lz4)),
  tar('.tar.sz', 'application/x-snappy-framed', tarred(snappy(threads))),
  tar('.tar.br', 'application/x-brotli', tarred(brotli)),
  tar('.tar.zst', 'application/zstd', tarred(zstd)),
]

/**
 * Creates a function that finds a format by its name in a request, for example `tar.gz` or `targz`. `zip`, `true` and
 * an empty name mean zip (contract 5.2, A4).
 */
export function createFormatFinder(threads: ThreadPool): (algo: string) => ArchiveFormat | null {
  const byName = new Map<string, ArchiveFormat>()
  for (const format of archiveFormats(threads)) {
    const name = format.extension.slice(1)
    byName.set(name, format)
    byName.set(name.replaceAll('.', ''), format)
  }
  const zip = byName.get('zip')
  return (algo) => (algo === '' || algo === 'true' ? zip : byName.get(algo)) ?? null
}
