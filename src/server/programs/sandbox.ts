import { lstat, mkdir, readlink } from 'node:fs/promises'
import { trustedPath } from './find-program.ts'

/** What of this machine a sandbox shows beside its programs. */
export type SandboxScope = {
  /** On the disk; no link may be left in it. */
  readonly realPath: string
  readonly mayWrite: boolean
  /** Names directly in it under which the sandbox finds an empty folder. */
  readonly hiddenNames: readonly string[]
  /** Where the work begins: below the scope, without a slash in front; empty for the scope itself. */
  readonly folder: string
}

export type SandboxEnvironment = { readonly LANG?: string | undefined; readonly TZ?: string | undefined }

/** What programs look up in `/etc`; nothing here is secret, and nothing else of it is shown. */
const etcNames = [
  'alternatives',
  'fonts',
  'ImageMagick-6',
  'ImageMagick-7',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'magic',
  'magic.mime',
  'mime.types',
  'nsswitch.conf',
  'papersize',
  'perl',
  'terminfo',
  'timezone',
]

/** Folders of programs. Where some are links into `/usr`, they are so inside, too. */
const systemNames = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** What of the machine's own folders is shown whole. */
export const systemFolders: readonly string[] = ['/usr', ...systemNames.map((name) => `/${name}`)]

const temporaryBytes = 64 * 1024 * 1024

/** Descriptors for `watchSandbox`: what bubblewrap says of the sandbox, and where it waits for a word. */
export const sandboxPipes = { said: 3, awaited: 4, count: 2 } as const

/** The strict way, and the one for releases that do not know all of it (0.8 does). */
export const namespaces: readonly (readonly string[])[] = (() => {
  const plain = [
    ...['user', 'pid', 'net', 'ipc', 'uts'].map((name) => `--unshare-${name}`),
    '--unshare-cgroup-try',
    '--hostname',
    'sandbox',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
  ]
  return [[...plain, '--disable-userns'], plain]
})()

/**
 * The folders of a sandbox, as words for bubblewrap: programs and the little that they look up, read-only; `/proc`, `/dev` and `/tmp`
 * of its own; nothing of anybody's.
 */
export async function systemWords(environment: SandboxEnvironment): Promise<readonly string[]> {
  const folders = await Promise.all(systemNames.map(systemFolderWords))
  const variables = { PATH: trustedPath, HOME: '/tmp', LANG: 'C.UTF-8', ...given(environment) }
  return [
    '--clearenv',
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    '--ro-bind',
    '/usr',
    '/usr',
    ...((await isFolder('/usr/local/etc')) ? ['--tmpfs', '/usr/local/etc'] : []),
    ...folders.flat(),
    ...etcNames.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...temporary('/dev/shm'),
    '--remount-ro',
    '/dev',
    ...temporary('/tmp'),
  ]
}

/** The scope of a person, as words for bubblewrap. */
export async function scopeWords(scope: SandboxScope): Promise<readonly string[]> {
  const { realPath, mayWrite, hiddenNames, folder } = scope
  const hidden: string[] = []
  for (const name of hiddenNames) if (await isOrBecomesFolder(`${realPath}/${name}`)) hidden.push(name)
  return [
    mayWrite ? '--bind' : '--ro-bind',
    realPath,
    '/scope',
    ...hidden.flatMap((name) => ['--tmpfs', `/scope/${name}`, '--remount-ro', `/scope/${name}`]),
    '--remount-ro',
    '/',
    '--chdir',
    folder === '' ? '/scope' : `/scope/${folder}`,
  ]
}

/** Whether a folder, or something in it, can be seen in a sandbox that shows these. */
export const isShown = (folder: string, shown: readonly string[]): boolean =>
  shown.some((top) => top === '/' || folder === top || folder.startsWith(`${top}/`))

const temporary = (place: string): readonly string[] => ['--size', String(temporaryBytes), '--tmpfs', place]

const given = (environment: SandboxEnvironment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

async function systemFolderWords(name: string): Promise<readonly string[]> {
  const place = `/${name}`
  try {
    const facts = await lstat(place)
    if (facts.isSymbolicLink()) return ['--symlink', await readlink(place), place]
    return facts.isDirectory() ? ['--ro-bind', place, place] : []
  } catch {
    return []
  }
}

const isFolder = (place: string): Promise<boolean> =>
  lstat(place).then(
    (facts) => facts.isDirectory(),
    () => false,
  )

/**
 * What is hidden is covered, so it has to be there: a folder that came while a command runs would be seen. Where it cannot be made,
 * nobody else of the server can make it.
 */
async function isOrBecomesFolder(place: string): Promise<boolean> {
  try {
    await mkdir(place, { mode: 0o700 })
    return true
  } catch {
    return lstat(place).then(
      () => true,
      () => false,
    )
  }
}
