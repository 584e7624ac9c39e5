/** The limits that the client's screens need. They are apart from the other limits, so that no screen loads those. */
export const clientLimits = {
  minimumPasswordLength: 12,
  guestNameCharacters: 100,
  /** Characters of the name that the owner of a share shows to its guests. */
  senderNameCharacters: 60,
  guestNoteCharacters: 1000,
  /** The lengths of an alias, which is a part of the address of a share. A shorter one would be guessed too easily. */
  minAliasCharacters: 9,
  aliasCharacters: 40,
  /** The highest limit of downloads that a share may have. */
  limitedDownloads: 10_000,
  /** The number of files that one upload-only share accepts, also when its owner has set no limit. */
  receivedFiles: 10_000,
  concurrentUploads: 5,
} as const
