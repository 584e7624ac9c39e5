/** What an archive holds of an entry: its place in the archive, and its facts. */
export type Member = {
  /** Relative, with `/` between names and none at the end. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  /** Exactly so many bytes follow; 0 for a folder. */
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Permission bits alone. */
  readonly permissions: number
}

/** The next bytes of a member, and the CRC-32 of all its bytes up to their end, where somebody else has made it. */
export type MemberBytes = { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly crc?: number }

/**
 * A member, or the next bytes of the file that was the last member. They are valid until the next piece is asked for: whoever keeps
 * them copies them.
 */
export type MemberPiece = { readonly kind: 'member'; readonly member: Member } | MemberBytes
