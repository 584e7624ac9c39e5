/** A file, folder or other member of an archive that is read. */
export type PackedMember = {
  /**
   * The path in the archive, with `/` between names and no slash at the start or the end. Empty for the top of the
   * archive. Null for a name that is not a valid path, or that leads out of the archive.
   */
  readonly path: string | null
  readonly kind: 'file' | 'folder'
  readonly sizeBytes: number
  readonly modifiedMs: number
  /**
   * Returns the bytes of the file. May be called once, before the next member is requested. Null when the bytes cannot
   * be read: the member is encrypted, is a link or a device, or is packed with an unknown method. The iteration throws
   * `undecodable` when the bytes are damaged or have another length than `sizeBytes`.
   */
  readonly bytes: (() => AsyncIterable<Uint8Array>) | null
}

/** Yields the members of an archive in their order. Throws `undecodable` for a damaged archive. */
export type MemberReader = (source: PackedSource) => AsyncGenerator<PackedMember, void>

/** The bytes of an archive. Several ranges may be read, one after the other. */
export type PackedSource = {
  readonly sizeBytes: number
  readonly bytes: (range: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>
}

const maxNames = 100

/**
 * Converts the name of a member to a path inside the archive. Null when it is absolute, when it leads out of the
 * archive, and when a name in it is not a valid file name. A leading `./` is dropped. Backslashes are not separators,
 * because they are valid in names on this system; the reader of a format that writes them as separators replaces them
 * first.
 */
export function memberPath(name: string): string | null {
  const names = name.split('/').filter((part) => part !== '' && part !== '.')
  const isValid = names.every((part) => part !== '..' && !part.includes('\0'))
  if (names.length === 0) return ''
  return name.startsWith('/') || !isValid || names.length > maxNames ? null : names.join('/')
}
