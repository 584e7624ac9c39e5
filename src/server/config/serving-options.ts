import { addresses, duration, integer, mode, noauthToggle, oneOf, origins, text, toggle } from './kinds.ts'
import { option, type Option } from './option.ts'
import { limits } from '../../shared/domain/limits.ts'

/** Everything that serving can be told (contract 14.1). The manual is made from it. */
export const servingOptions = {
  configFile: option({
    name: 'config',
    short: 'c',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'Configuration file. Else the first of `.stowage` and `.filebrowser` with `.json`, `.toml`, `.yaml` or `.yml` in the ' +
      'working directory, the home directory and `/etc/filebrowser/`.',
  }),
  database: option({
    name: 'database',
    short: 'd',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'File of the database; its folders are made. Else the first that exists of `/database/filebrowser.db`, `/database.db`, ' +
      '`/config/filebrowser.db`, `/db/database.db` and `./filebrowser.db`, else `stowage.db` in the state folder of the user. ' +
      'Or the address of a PostgreSQL database: `postgres://user@host/name`.',
  }),
  stateDir: option({
    name: 'stateDir',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'Folder of what the server keeps for itself beside the state: previews, notes of unfinished writes. Empty for beside the ' +
      'database; where that is on PostgreSQL, for a folder of its own in the state folder of the user.',
  }),
  root: option({ name: 'root', short: 'r', kind: text, default: '.', meaning: 'The served folder.' }),
  address: option({
    name: 'address',
    short: 'a',
    kind: text,
    default: '127.0.0.1',
    meaning: 'Address to listen on; empty for all.',
  }),
  port: option({
    name: 'port',
    short: 'p',
    kind: integer(0, 65_535),
    default: 8080,
    meaning: 'Port to listen on; 0 for any free one.',
  }),
  socket: option({
    name: 'socket',
    kind: text,
    default: '',
    meaning: 'Unix socket to listen on, in place of address, port, cert and key.',
  }),
  socketPerm: option({
    name: 'socketPerm',
    kind: mode,
    default: 0o666,
    meaning: 'Permission bits of the socket.',
  }),
  baseURL: option({
    name: 'baseURL',
    short: 'b',
    kind: text,
    default: '',
    meaning: 'Path below which everything is served, such as `/files`.',
  }),
  cert: option({
    name: 'cert',
    short: 't',
    kind: text,
    default: '',
    meaning: 'TLS certificate; TLS is on when cert and key are given.',
  }),
  key: option({ name: 'key', short: 'k', kind: text, default: '', meaning: 'TLS key.' }),
  log: option({
    name: 'log',
    short: 'l',
    kind: text,
    default: 'stdout',
    meaning: '`stdout`, `stderr`, empty for none, else a file.',
  }),
  logFormat: option({
    name: 'logFormat',
    kind: oneOf('text', 'json'),
    default: 'text',
    meaning: 'Lines that fail2ban knows, or one JSON object a line.',
  }),
  tokenExpirationTime: option({
    name: 'tokenExpirationTime',
    kind: duration,
    default: 7_200_000,
    meaning: 'How long a session lasts without use, 30 days at most.',
  }),
  disableTokenInUrl: option({
    name: 'disableTokenInUrl',
    kind: toggle,
    default: false,
    meaning: 'Refuses `?auth=` everywhere.',
  }),
  trustedProxies: option({
    name: 'auth.trustedProxies',
    kind: addresses,
    default: ['127.0.0.0/8', '::1/128'],
    meaning:
      'Addresses and ranges whose forwarded address, forwarded protocol and login header count; the unix socket always does.',
  }),
  trustedOrigins: option({
    name: 'trustedOrigins',
    kind: origins,
    default: [],
    meaning: 'Origins that count as ours beside the request’s host.',
  }),
  disableExec: option({
    name: 'disableExec',
    kind: toggle,
    default: true,
    meaning: 'Commands and hooks are off; `false` switches them on.',
  }),
  unsafeExec: option({
    name: 'unsafeExec',
    kind: toggle,
    default: false,
    meaning: 'Runs people’s commands without a sandbox where there is none.',
  }),
  disableThumbnails: option({
    name: 'disableThumbnails',
    kind: toggle,
    default: false,
    meaning: 'Makes no thumbnails of images.',
  }),
  disablePreviewResize: option({
    name: 'disablePreviewResize',
    kind: toggle,
    default: false,
    meaning: 'Shows images as they are, not scaled down.',
  }),
  disableTypeDetectionByHeader: option({
    name: 'disableTypeDetectionByHeader',
    kind: toggle,
    default: false,
    meaning: 'Tells types by their names alone, without reading files.',
  }),
  disableImageResolutionCalc: option({
    name: 'disableImageResolutionCalc',
    kind: toggle,
    default: false,
    meaning: 'Taken from older configurations; without effect.',
  }),
  imageProcessors: option({
    name: 'imageProcessors',
    aliases: ['imgProcessors'],
    kind: integer(1, 1024),
    default: 2,
    meaning: 'Images that are worked on at once, each in a process of at most 256 MB.',
  }),
  maxImagePixels: option({
    name: 'maxImagePixels',
    kind: integer(1, 1_000_000_000_000),
    default: limits.imagePixels,
    meaning:
      'Previews are made of images with up to so many pixels, as an image says itself; the memory of 256 MB holds all the same.',
  }),
  cacheDir: option({
    name: 'cacheDir',
    kind: text,
    default: '',
    meaning: 'Folder of the cache of previews; empty for one beside the database.',
  }),
  redisCacheUrl: option({
    name: 'redisCacheUrl',
    kind: text,
    default: '',
    meaning: 'Taken from older configurations; without effect.',
  }),
  searchStream: option({
    name: 'searchStream',
    kind: toggle,
    default: false,
    meaning: 'Searches answer line by line without being asked to.',
  }),
  followExternalSymlinks: option({
    name: 'followExternalSymlinks',
    kind: toggle,
    default: false,
    meaning:
      'Follows links that leave the folder of a user. Whoever can make a link reads the whole machine.',
  }),
  maxUploadSize: option({
    name: 'maxUploadSize',
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    default: 0,
    meaning: 'Largest file that may be uploaded, in bytes; 0 for any.',
  }),
  diskTimeout: option({
    name: 'diskTimeout',
    kind: duration,
    default: 30_000,
    meaning: 'How long a disk may leave a call unanswered before the request fails with 504.',
  }),
  fileMode: option({
    name: 'fileMode',
    kind: mode,
    default: 0o640,
    meaning: 'Permission bits of new files, minus umask.',
  }),
  dirMode: option({
    name: 'dirMode',
    kind: mode,
    default: 0o750,
    meaning: 'Permission bits of new folders, minus umask.',
  }),
  noauth: option({
    name: 'noauth',
    kind: noauthToggle,
    default: false,
    isUnstored: true,
    meaning: 'First run only: nobody logs in, everybody is the first user.',
  }),
  username: option({
    name: 'username',
    kind: text,
    default: 'admin',
    isUnstored: true,
    meaning: 'First run only: name of the first user.',
  }),
  password: option({
    name: 'password',
    kind: text,
    default: '',
    isUnstored: true,
    meaning:
      'First run only: hash of the first user’s password (see `stowage hash`); empty for a random one.',
  }),
} as const

type Table = typeof servingOptions

/** What serving was told. Paths are absolute, the base path has no slash at its end, durations are in milliseconds. */
export type Config = { readonly [K in keyof Table]: Table[K] extends Option<infer T> ? T : never }

export const servingOptionList: readonly Option[] = Object.values(servingOptions as Record<string, Option>)
