import type { Pool } from '../workers/pool.ts'
import { brotli, bzip2, gzip, lz4, snappy, xz, zstd, type Compression } from './compressions/compressions.ts'
import type { MemberPiece } from './member.ts'
import { writeTar } from './tar/write-tar.ts'
import { writeZip } from './zip/write-zip.ts'

/** One way to pack. Adding one takes a line in the table below. */
export type ArchiveFormat = {
  /** With its dot. The name of the format on the wire is this without the first dot, or without any. */
  readonly extension: string
  readonly contentType: string
  readonly write: (pieces: AsyncIterable<MemberPiece>) => AsyncIterable<Uint8Array>
}

const tarred =
  (compression: Compression): ArchiveFormat['write'] =>
  (pieces) =>
    compression(writeTar(pieces))

const archiveFormats = (threads: Pool): readonly ArchiveFormat[] => [
  { extension: '.zip', contentType: 'application/zip', write: writeZip },
  { extension: '.tar', contentType: 'application/x-tar', write: writeTar },
  { extension: '.tar.gz', contentType: 'application/gzip', write: tarred(gzip) },
  { extension: '.tar.bz2', contentType: 'application/x-bzip2', write: tarred(bzip2(threads)) },
  { extension: '.tar.xz', contentType: 'application/x-xz', write: tarred(xz) },
  { extension: '.tar.lz4', contentType: 'application/x-lz4', write: tarred(lz4) },
  { extension: '.tar.sz', contentType: 'application/x-snappy-framed', write: tarred(snappy(threads)) },
  { extension: '.tar.br', contentType: 'application/x-brotli', write: tarred(brotli) },
  { extension: '.tar.zst', contentType: 'application/zstd', write: tarred(zstd) },
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
