import { bytesOfName, isText } from '../../../shared/domain/name-bytes.ts'

/** A file or folder in an archive: its name in the archive, and its metadata. */
export type ArchiveMember = {
  /** The path relative to the archive's root, with `/` between names and no slash at the end. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  /** The exact number of bytes that follow the member. 0 for a folder. */
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The permission bits (0o777) without the file type. */
  readonly permissions: number
}

/**
 * The next bytes of a member. `crc` is the CRC-32 of all bytes of the member up to the end of `bytes`. It is missing
 * when the reader has not computed it.
 */
export type MemberBytes = { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly crc?: number }

/**
 * A chunk of the stream from which an archive is written: the start of a member, or the next bytes of the last started
 * member. The bytes are valid only until the next chunk is requested, so a consumer that keeps them must copy them.
 */
export type MemberChunk = { readonly kind: 'member'; readonly member: ArchiveMember } | MemberBytes

const slash = Buffer.from('/')

/**
 * Encodes a name for an archive as the same bytes that the name has on disk. `isUtf8` is true when these bytes are
 * valid UTF-8.
 */
export function encodeMemberName(name: string): { readonly bytes: Buffer; readonly isUtf8: boolean } {
  if (isText(name)) return { bytes: Buffer.from(name, 'utf8'), isUtf8: true }
  // Each segment is encoded separately. If `bytesOfName` returns null for one segment, the other segments still keep
  // their exact bytes.
  const parts = name.split('/').map((part) => Buffer.from(bytesOfName(part) ?? Buffer.from(part)))
  const bytes = Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [slash, part])))
  return { bytes, isUtf8: false }
}
