import { hasRightChecksum } from './tar/tar-fields.ts'

/** The formats that the server reads. Each compressed one contains a tar file. */
export type PackedFormat = 'zip' | 'tar' | 'gzip' | 'zstd' | 'brotli' | 'xz' | 'bzip2' | 'lz4' | 'snappy'

/** Archives that are recognized and cannot be read. */
export type ForeignFormat = '7z' | 'rar'

/** The first bytes of each format, in hexadecimal. Brotli has none. */
const signatures: readonly (readonly [PackedFormat | ForeignFormat, string])[] = [
  ['zip', '504b0304'],
  ['zip', '504b0506'],
  ['gzip', '1f8b08'],
  ['zstd', '28b52ffd'],
  ['xz', 'fd377a585a00'],
  ['bzip2', '425a68'],
  ['lz4', '04224d18'],
  // The legacy format of LZ4, which the Linux kernel uses.
  ['lz4', '02214c18'],
  ['snappy', 'ff060000734e61507059'],
  ['7z', '377abcaf271c'],
  ['rar', '526172211a07'],
]

/** The number of bytes at the start of a file that `formatOfContent` needs. */
export const formatHeadBytes = 512

/** Returns the format of a file by its first bytes. Null when they belong to no known format. */
export function formatOfContent(head: Buffer): PackedFormat | ForeignFormat | null {
  const start = head.toString('hex', 0, 16)
  const known = signatures.find(([, signature]) => start.startsWith(signature))
  if (known !== undefined) return known[0]
  return hasRightChecksum(head) ? 'tar' : null
}
