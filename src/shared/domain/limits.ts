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
  uploadsAtOnce: 5,
  searchHits: 100_000,
  searchesAtOnce: 2,
  textContentBytes: 10 * 1024 * 1024,
} as const
