import { lstat, mkdir, readlink } from 'node:fs/promises'
import { trustedPath } from './find-program.ts'

/** The folder with a user's files that is visible in a sandbox, in addition to the system's programs. */
export type SandboxScope = {
  /** The path on disk, with all symbolic links resolved. */
  readonly realPath: string
  readonly mayWrite: boolean
  /**
   * The names of entries directly in the scope that are hidden in the sandbox: an empty folder is mounted over each of
   * them.
   */
  readonly hiddenNames: readonly string[]
  /**
   * The path of the working directory relative to the scope, without a leading slash. It is empty when the working
   * directory is the scope itself.
   */
  readonly folder: string
}

export type SandboxEnvironment = { readonly LANG?: string | undefined; readonly TZ?: string | undefined }

/**
 * The entries of `/etc` that are visible in the sandbox, because programs need them. None of them contains a secret.
 */
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

/**
 * The top-level folders of programs and libraries. A folder that is a link into `/usr` becomes the same link in the
 * sandbox.
 */
const systemNames = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** The system folders that are completely visible in the sandbox. */
export const systemFolders: readonly string[] = ['/usr', ...systemNames.map((name) => `/${name}`)]

/**
 * The maximum size in bytes (64 MiB) of each temporary file system of a sandbox. It limits the memory that the files of
 * a command can occupy.
 */
const temporaryBytes = 64 * 1024 * 1024

/**
 * The file descriptors of the pipes between the server and bubblewrap: bubblewrap writes the sandbox's process number
 * to `info`, and starts the command when it reads a byte from `block` (see `watchSandbox`).
 */
export const sandboxPipes = { info: 3, block: 4, count: 2 } as const

/**
 * The sets of namespace arguments, in the order in which they are tried. The strict set comes first. `--disable-userns` needs
 * bubblewrap 0.8. Our service of systemd allows no namespaces of control groups, which hide only the name of a group.
 */
export const namespaceArgs: readonly (readonly string[])[] = (() => {
  const plain = [
    ...['user', 'pid', 'net', 'ipc', 'uts'].map((name) => `--unshare-${name}`),
    '--hostname',
    'sandbox',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
  ]
  const [groups, nested] = ['--unshare-cgroup-try', '--disable-userns'] as const
  return [[...plain, groups, nested], [...plain, nested], [...plain, groups], plain]
})()

/**
 * Returns bubblewrap's arguments for the environment and the system folders of a sandbox: programs and their
 * configuration are read-only, `/proc`, `/dev` and `/tmp` belong to the sandbox, and no user files are visible.
 */
export async function systemArgs(environment: SandboxEnvironment): Promise<readonly string[]> {
  const folders = await Promise.all(systemNames.map(systemFolderArgs))
  const variables = { PATH: trustedPath, HOME: '/tmp', LANG: 'C.UTF-8', ...definedVariables(environment) }
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
    ...tmpfsArgs('/dev/shm'),
    '--remount-ro',
    '/dev',
    ...tmpfsArgs('/tmp'),
  ]
}

/** Returns bubblewrap's arguments for a user's scope. */
export async function scopeArgs(scope: SandboxScope): Promise<readonly string[]> {
  const { realPath, mayWrite, hiddenNames, folder } = scope
  const hidden: string[] = []
  for (const name of hiddenNames) if (await ensureExists(`${realPath}/${name}`)) hidden.push(name)
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

/** Returns true when a folder is one of the folders that are visible in a sandbox, or is inside one of them. */
export const isVisibleIn = (folder: string, visibleFolders: readonly string[]): boolean =>
  visibleFolders.some((top) => top === '/' || folder === top || folder.startsWith(`${top}/`))

const tmpfsArgs = (path: string): readonly string[] => ['--size', String(temporaryBytes), '--tmpfs', path]

const definedVariables = (environment: SandboxEnvironment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

async function systemFolderArgs(name: string): Promise<readonly string[]> {
  const path = `/${name}`
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return ['--symlink', await readlink(path), path]
    return stats.isDirectory() ? ['--ro-bind', path, path] : []
  } catch {
    return []
  }
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

/**
 * Creates a folder at a path that must be hidden, if no entry exists there. A mount can hide only an existing entry, so
 * an entry that another request creates while a command is running would be visible. Returns whether an entry exists
 * afterwards. If the server may not create the folder, no other request can create an entry there either.
 */
async function ensureExists(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch {
    return lstat(path).then(
      () => true,
      () => false,
    )
  }
}
