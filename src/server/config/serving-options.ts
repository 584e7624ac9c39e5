import {
  addresses,
  advisoryUrl,
  duration,
  frameAncestors,
  integer,
  mode,
  oneOf,
  origins,
  processCount,
  secret,
  text,
  toggle,
} from './option-kinds.ts'
import { optionTable, type Option } from './option.ts'
import { firstRunOptions } from './first-run-options.ts'
import { limits } from '../../shared/domain/limits.ts'

/** All serving options (contract 14.1). The manual is generated from this table. */
export const servingOptions = optionTable({
  configFile: {
    name: 'config',
    short: 'c',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'Configuration file. By default the first that exists of `.stowage` and `.filebrowser` with `.json`, `.toml`, `.yaml` or ' +
      '`.yml` in the working directory, the home directory and `/etc/filebrowser/`.',
  },
  database: {
    short: 'd',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'Database file, whose missing folders are created, or the address of a PostgreSQL database: `postgres://user@host/name`. ' +
      'By default `stowage.db` in the state folder of the user; where it does not exist, the first file that exists of ' +
      '`/database/filebrowser.db`, `/database.db`, `/config/filebrowser.db`, `/db/database.db` and `./filebrowser.db`. One of these ' +
      'that was taken over always comes first. ' +
      'A database of File Browser is taken over into a file beside it, `<name>.stowage`, and is never written.',
  },
  stateDir: {
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'Folder for the server’s own files besides the database: the preview cache and notes of unfinished writes. Empty for files ' +
      'beside the database file or, with PostgreSQL, for a separate folder in the state folder of the user.',
  },
  root: { short: 'r', kind: text, default: '.', meaning: 'The served folder.' },
  address: {
    short: 'a',
    kind: text,
    default: '127.0.0.1',
    meaning: 'Address to listen on; empty for all.',
  },
  port: {
    short: 'p',
    kind: integer(0, 65_535),
    default: 8080,
    meaning: 'Port to listen on; 0 for any free one.',
  },
  sharePort: {
    kind: toggle,
    default: false,
    meaning:
      'Share the port with other servers of the same system user that also have this option, so that a new server can be started ' +
      'before the old one is stopped.',
  },
  metricsToken: {
    kind: secret,
    default: '',
    meaning:
      'Token with which monitoring programs read `/metrics`, as `Authorization: Bearer`; 16 to 256 characters. Empty for no metrics. ' +
      'With several processes, each response has the figures of one of them, with its number as a label.',
  },
  advisories: {
    kind: advisoryUrl,
    default: '',
    meaning:
      'Address of the security advisories of Stowage, as GitHub lists them: `https://api.github.com/repos/OWNER/NAME/security-advisories`. ' +
      'The server asks for the list once a day and tells administrators which advisories are about its version; the request says nothing ' +
      'about this server. Empty for no requests.',
  },
  processes: {
    kind: processCount,
    default: 1,
    meaning:
      'Number of processes that serve together on one port, each with a part of the memory; `auto` for as many as there are ' +
      'processors, at most 4, and fewer where memory is small. Needs Linux or FreeBSD, and excludes socket.',
  },
  socket: {
    kind: text,
    default: '',
    meaning: 'Unix socket to listen on; excludes address, port, cert and key.',
  },
  socketPerm: {
    kind: mode,
    default: 0o666,
    meaning: 'Permission bits of the socket.',
  },
  baseURL: {
    short: 'b',
    kind: text,
    default: '',
    meaning: 'Base path of all URLs, such as `/files`.',
  },
  cert: {
    short: 't',
    kind: text,
    default: '',
    meaning: 'TLS certificate; TLS is on when both cert and key are set.',
  },
  key: { short: 'k', kind: text, default: '', meaning: 'TLS key.' },
  log: {
    short: 'l',
    kind: text,
    default: 'stdout',
    meaning: 'Log target: `stdout`, `stderr`, or a file; empty for no log.',
  },
  logFormat: {
    kind: oneOf('text', 'json'),
    default: 'text',
    meaning: 'Lines that fail2ban understands, or one JSON object per line.',
  },
  auditLog: {
    kind: text,
    default: '',
    meaning:
      'Target of the audit log, one JSON object per line: `stdout`, `stderr`, or a file; empty for none. It is kept in the database ' +
      'as well, see the setting `auditDays`.',
  },
  tokenExpirationTime: {
    kind: duration,
    default: 7_200_000,
    meaning: 'Lifetime of an unused session, 30 days at most.',
  },
  disableTokenInUrl: {
    kind: toggle,
    default: false,
    meaning: 'Refuses `?auth=` everywhere.',
  },
  permanentShareTokens: {
    kind: toggle,
    default: false,
    meaning:
      'Lets the token that guests of a link get for its password work for ever, as in File Browser; by default it works for 12 to 18 hours.',
  },
  trustedProxies: {
    name: 'auth.trustedProxies',
    kind: addresses,
    default: ['127.0.0.0/8', '::1/128'],
    meaning:
      'Addresses and ranges of proxies whose forwarded address, forwarded protocol and login header are trusted; the unix socket always is.',
  },
  trustedOrigins: {
    kind: origins,
    default: [],
    meaning: 'Origins that are trusted besides the request’s own host.',
  },
  frameAncestors: {
    kind: frameAncestors,
    default: [],
    meaning:
      'Pages that may show this server in a frame, such as a dashboard: origins, and `self` for pages of the same origin. ' +
      'Browsers send the login only to frames of the same site.',
  },
  disableExec: {
    kind: toggle,
    default: true,
    meaning: 'Disables commands and hooks; `false` enables them.',
  },
  unsafeExec: {
    kind: toggle,
    default: false,
    meaning: 'Runs people’s commands without a sandbox where there is none.',
  },
  disableThumbnails: {
    kind: toggle,
    default: false,
    meaning: 'Disables thumbnails of images.',
  },
  disablePreviewResize: {
    kind: toggle,
    default: false,
    meaning: 'Shows images in their original size, not scaled down.',
  },
  disableTypeDetectionByHeader: {
    kind: toggle,
    default: false,
    meaning: 'Detects file types by name alone, without reading files.',
  },
  disableImageResolutionCalc: {
    kind: toggle,
    default: false,
    meaning: 'Accepted for older configurations; has no effect, which a warning says.',
  },
  imageProcessors: {
    aliases: ['imgProcessors'],
    kind: integer(1, 1024),
    default: 2,
    meaning: 'Number of images that are processed at once, each in a process of at most 256 MB.',
  },
  maxImagePixels: {
    kind: integer(1, 1_000_000_000_000),
    default: limits.imagePixels,
    meaning:
      'Largest number of pixels, as declared in the image, for which a preview is made; the memory limit of 256 MB applies as well.',
  },
  cacheDir: {
    kind: text,
    default: '',
    meaning: 'Folder of the preview cache; empty for a folder beside the database.',
  },
  redisCacheUrl: {
    kind: text,
    default: '',
    meaning: 'Accepted for older configurations; has no effect, which a warning says.',
  },
  searchStream: {
    kind: toggle,
    default: false,
    meaning: 'Streams search results line by line even when the client does not ask for it.',
  },
  followExternalSymlinks: {
    kind: toggle,
    default: false,
    meaning:
      'Follows symbolic links out of a user’s folder. Anyone who can create a link can then read the whole machine.',
  },
  maxUploadSize: {
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    default: 0,
    meaning: 'Size limit of uploaded files in bytes; 0 for no limit.',
  },
  diskTimeout: {
    kind: duration,
    default: 30_000,
    meaning: 'How long a disk may take to answer before the request fails with 504.',
  },
  fileMode: {
    kind: mode,
    default: 0o640,
    meaning: 'Permission bits of new files, minus umask.',
  },
  dirMode: {
    kind: mode,
    default: 0o750,
    meaning: 'Permission bits of new folders, minus umask.',
  },
  ...firstRunOptions,
})

type OptionTable = typeof servingOptions

/**
 * The values of all options. Paths are absolute, the base path has no slash at its end, and durations are in
 * milliseconds.
 */
export type Config = { readonly [K in keyof OptionTable]: OptionTable[K] extends Option<infer T> ? T : never }

/** All serving options, as a list. */
export const servingOptionList: readonly Option[] = Object.values(servingOptions as Record<string, Option>)
