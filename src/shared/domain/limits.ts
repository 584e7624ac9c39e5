/** Limits of what a request may bring (sources: the security design, chapter 3.8; POSIX NAME_MAX and PATH_MAX). */
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
  /** From its beginning, however much it is used. */
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  rules: 1000,
  ruleBytes: 1024,
  /** Of a regular expression whose repetitions are written out. */
  ruleSteps: 2000,
  /** Of all expressions of a list of rules. */
  rulesSteps: 100_000,
  jsonDepth: 32,
  socketMessageBytes: 8 * 1024,
  imagePixels: 100_000_000,
  previewsAtOnce: 8,
  /** Whose folder is named instead has no such limit. */
  archiveNames: 10_000,
  archivesAtOnce: 2,
  archivesWaiting: 8,
  archivePatienceMs: 10_000,
  uploadsAtOnce: 5,
  /** Of 64 KiB at most, which have come with their requests. */
  smallUploadsAtOnce: 20,
  checksumsAtOnce: 2,
  checksumsWaiting: 8,
  checksumPatienceMs: 10_000,
  searchHits: 100_000,
  searchQueryBytes: 4096,
  searchesAtOnce: 2,
  commandsAtOnce: 1,
  subtitleBytes: 10 * 1024 * 1024,
  /** All people together: small ones take no time. */
  textsAtOnce: 4,
  textContentBytes: 10 * 1024 * 1024,
} as const
