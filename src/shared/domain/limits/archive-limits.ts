/** The limits of a request for an archive. They are apart from the other limits because the page of a share needs only these. */
export const archiveRequestLimits = {
  /** The maximum length of the request line and the headers of any request. */
  requestHeadBytes: 256 * 1024,
  /** The maximum number of names in one archive request. The limit does not apply to a request for a whole folder. */
  archiveNames: 10_000,
}

/** The maximum length of the URL of an archive in characters: what the server accepts, without 16 KiB for the other headers. */
export const archiveUrlChars = archiveRequestLimits.requestHeadBytes - 16 * 1024
