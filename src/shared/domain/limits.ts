/**
 * Limits of what one request or one user may use (sources: the security design, chapter 3.8; POSIX NAME_MAX and
 * PATH_MAX).
 */
export const limits = {
  nameBytes: 255,
  pathBytes: 4096,
  pathSegments: 1024,
  requestHeadBytes: 256 * 1024,
  jsonBodyBytes: 1024 * 1024,
  loginBodyBytes: 16 * 1024,
  passwordBytes: 1024,
  minimumPasswordLength: 12,
  usernameBytes: 255,
  sessionsPerUser: 20,
  /** The lifetime of a session from its start, however much it is used. */
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  rules: 1000,
  ruleBytes: 1024,
  /** The size of one regular expression after its repetitions have been expanded. */
  ruleSteps: 2000,
  /** The size of all regular expressions of one list of rules. */
  rulesSteps: 100_000,
  jsonDepth: 32,
  socketMessageBytes: 8 * 1024,
  imagePixels: 100_000_000,
  previewsAtOnce: 8,
  /** The number of names in one archive request. A request that names the whole folder has no such limit. */
  archiveNames: 10_000,
  archivesAtOnce: 2,
  archivesWaiting: 8,
  archivePatienceMs: 10_000,
  uploadsAtOnce: 5,
  /** The uploads at once of 64 KiB at most, which have arrived together with their requests. */
  smallUploadsAtOnce: 20,
  checksumsAtOnce: 2,
  checksumsWaiting: 8,
  checksumPatienceMs: 10_000,
  searchHits: 100_000,
  searchQueryBytes: 4096,
  searchesAtOnce: 2,
  commandsAtOnce: 1,
  subtitleBytes: 10 * 1024 * 1024,
  /**
   * The number of texts that are read at once for all users together. One limit for all is enough, because small texts
   * take hardly any time.
   */
  textsAtOnce: 4,
  textContentBytes: 10 * 1024 * 1024,
} as const
