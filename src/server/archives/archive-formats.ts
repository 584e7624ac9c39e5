import type { Pool } from '../workers/pool.ts'
import { brotli, bzip2, gzip, lz4, snappy, xz, zstd, type Compression } from './compressions/compressions.ts'
import { inPieces } from './blocks.ts'
import type { MemberPiece } from './member.ts'
import { writeTar } from './tar/write-tar.ts'
import { writeZip } from './zip/write-zip.ts'

/** One way to pack. Adding one takes a line in the table below. */
export type ArchiveFormat = {
  /** With its dot. The name of the format on the wire is this without the first dot, or without any. */
  readonly extension: string
  readonly contentType: string
  /** Whether it holds the CRC-32 of each file: then it is made where the file is read. */
  readonly sums: boolean
  /** Gives pieces that are valid until the next one is asked for. */
  readonly write: (batches: AsyncIterable<readonly MemberPiece[]>) => AsyncIterable<Uint8Array>
}

const tarred =
  (compression: Compression): ArchiveFormat['write'] =>
  (batches) =>
    inPieces(eachAlone(compression(inPieces(writeTar(batches)))))

async function* eachAlone(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[], void> {
  for await (const chunk of chunks) yield [chunk]
}

const tar = (extension: string, contentType: string, write: ArchiveFormat['write']): ArchiveFormat => ({
  extension,
  contentType,
  sums: false,
  write,
})

const archiveFormats = (threads: Pool): readonly ArchiveFormat[] => [
  {
    extension: '.zip',
    contentType: 'application/zip',
    sums: true,
    write: (batches) => inPieces(writeZip(batches)),
  },
  tar('.tar', 'application/x-tar', (batches) => inPieces(writeTar(batches))),
  tar('.tar.gz', 'application/gzip', tarred(gzip)),
  tar('.tar.bz2', 'application/x-bzip2', tarred(bzip2(threads))),
  tar('.tar.xz', 'application/x-xz', tarred(xz)),
  tar('.tar.lz4', 'application/x-lz4', tarred(lz4)),
  tar('.tar.sz', 'application/x-snappy-framed', tarred(snappy(threads))),
  tar('.tar.br', 'application/x-brotli', tarred(brotli)),
  tar('.tar.zst', 'application/zstd', tarred(zstd)),
]

/** Finds a format by what the wire calls it: `tar.gz`, `targz`; `zip`, `true` and nothing are zip (contract 5.2, A4). */
export function createFormatFinder(threads: Pool): (algo: string) => ArchiveFormat | null {
  const byName = new Map<string, ArchiveFormat>()
  for (const format of archiveFormats(threads)) {
    const name = format.extension.slice(1)
    byName.set(name, format)
    byName.set(name.replaceAll('.', ''), format)
  }
  const zip = byName.get('zip')
  return (algo) => (algo === '' || algo === 'true' ? zip : byName.get(algo)) ?? null
}
