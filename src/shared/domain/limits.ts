import { archiveRequestLimits } from './limits/archive-limits.ts'
import { clientLimits } from './limits/client-limits.ts'
import { pathLimits } from './name-bytes.ts'

/**
 * Limits of the resources that one request or one user may use. They come from the security design (chapter 3.8) and
 * from NAME_MAX and PATH_MAX of POSIX.
 */
export const limits = {
  ...pathLimits,
  ...archiveRequestLimits,
  ...clientLimits,
  jsonBodyBytes: 1024 * 1024,
  loginBodyBytes: 16 * 1024,
  passwordBytes: 1024,
  usernameBytes: 255,
  /**
   * Characters of a short value in a query or body, such as a switch, a unit, a sort key or the token of a share. The longest
   * that a client sends is the token of a share of File Browser, with 128 characters.
   */
  optionCharacters: 256,
  /** Characters of a path in a query. Some clients percent-encode a path once more, which makes three characters of a byte. */
  writtenPathCharacters: 3 * pathLimits.pathBytes,
  /** Characters of one filter of the audit log. */
  filterCharacters: pathLimits.pathBytes,
  /**
   * Characters of one line of a hook and of one word of the shell setting. Linux starts no program with a longer argument
   * (MAX_ARG_STRLEN), so a longer line has never run.
   */
  commandLineCharacters: 128 * 1024,
  /** The number of lines of one hook, of words of the shell setting, and of commands of a user. */
  listedWords: 1000,
  /** Characters of a session token, in a header or a query. Its largest part are the commands of its user. */
  tokenCharacters: 64 * 1024,
  /** The commands of a user as JSON. The session token contains them, and is a header of each request. */
  wordsBytes: 32 * 1024,
  /** The number of members of an object whose names are not fixed: the fields of a user, and the events with hooks. */
  recordMembers: 100,
  sessionsPerUser: 20,
  /**
   * The maximum lifetime of a session in milliseconds (30 days). It starts with the login, and using the session does
   * not extend it.
   */
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  /** The bytes of an uploaded logo, which is in the database and in memory. A logo of 512 by 512 pixels has about 50 kB. */
  logoBytes: 256 * 1024,
  rules: 1000,
  ruleBytes: 1024,
  /**
   * The maximum number of steps in one regular expression of a rule. A step is a character, a class or an anchor,
   * counted after repetitions have been expanded. It limits the time that compiling and matching the rule can take.
   */
  ruleSteps: 2000,
  /** The maximum total number of steps in the regular expressions of one list of rules. */
  rulesSteps: 100_000,
  jsonDepth: 32,
  socketMessageBytes: 8 * 1024,
  /** The length of an `X-Origin` header, with which a client recognises its own changes. Our client sends 24 characters. */
  originCharacters: 64,
  /** The entries of a folder whose pictures are read for the times at which they were taken. Reading 20,000 photos takes some 10 s. */
  takenTimesEntries: 20_000,
  imagePixels: 100_000_000,
  concurrentPreviews: 8,
  concurrentArchives: 2,
  archivesWaiting: 8,
  archivePatienceMs: 10_000,
  /** The maximum number of members of an archive that is read, and of those that a list of them contains. */
  archiveMembers: 500_000,
  listedArchiveMembers: 100_000,
  /**
   * The maximum length in characters of all paths in an archive that is read, and of those in one list. They are in memory.
   * The average of the paths in a large source tree is 80.
   */
  archivePathCharacters: 24 * 1024 * 1024,
  listedArchivePathCharacters: 8 * 1024 * 1024,
  /** The number of archives that the server reads concurrently for one user. Further requests wait. */
  concurrentArchiveReads: 4,
  /** The number of concurrent uploads of at most 64 KiB whose bytes arrive together with the head of the request. */
  concurrentSmallUploads: 20,
  /** The number of received files that one response lists, the latest first. */
  listedReceivedFiles: 1000,
  /**
   * The number of files that one upload-only share receives at the same time, from one network and in total. Further
   * files wait. Each running file may hold as many bytes on the disk as the share accepts.
   */
  receptionsOfNetwork: 10,
  receptionsOfShare: 50,
  concurrentChecksums: 2,
  checksumsWaiting: 8,
  checksumPatienceMs: 10_000,
  searchHits: 100_000,
  searchQueryBytes: 4096,
  concurrentSearches: 2,
  /** Listings and measurements of whole trees. Each holds up to 5 MB of entries while its client does not read. */
  concurrentTreeReads: 2,
  concurrentCommands: 1,
  subtitleBytes: 10 * 1024 * 1024,
  /**
   * The number of text files that are read concurrently for all users together. A shared limit is enough, because small
   * files take hardly any time.
   */
  concurrentTexts: 4,
  textContentBytes: 10 * 1024 * 1024,
} as const
