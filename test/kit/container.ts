import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** A root folder with the system's programs and chosen mounts, in which a program runs as it does in a container. */
export type Container = {
  /** The root folder of the container, seen from outside. */
  readonly root: string
  /** Starts a program. The mounts of the container disappear when the program ends. */
  start(command: readonly string[], options: ContainerOptions): ChildProcess
}

export type ContainerOptions = {
  readonly uid: number
  /** The files and folders to mount, by their absolute path in the container. */
  readonly mounts: Readonly<Record<string, string>>
}

/** Folders of this machine that a container does not see. */
const hidden = new Set([
  'boot',
  'config',
  'data',
  'database',
  'db',
  'lost+found',
  'media',
  'mnt',
  'srv',
  'tmp',
])

/** Creates a container. Its root folder belongs to root, as in an image. */
export function createContainer(): Container {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  mkdirSync(path.join(root, 'tmp'))
  chmodSync(path.join(root, 'tmp'), 0o777)
  const system = systemFolders(root)
  for (const name of system) mkdirSync(path.join(root, name))

  function start(command: readonly string[], { uid, mounts }: ContainerOptions): ChildProcess {
    for (const [at, source] of Object.entries(mounts)) createMountPoint(path.join(root, at), source)
    const pairs = [
      ...system.map((name) => [`/${name}`, path.join(root, name)]),
      ...Object.entries(mounts).map(([at, source]) => [source, path.join(root, at)]),
    ].flat()
    const script =
      'root=$1 user=$2 count=$3; shift 3; while [ "$count" -gt 0 ]; do mount --rbind "$1" "$2" || exit 99; shift 2; ' +
      'count=$((count - 1)); done; exec chroot --userspec="$user:$user" "$root" "$@"'
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/' }
    return spawn(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', root, String(uid), String(pairs.length / 2), ...pairs, ...command],
      { env, stdio: ['ignore', 'pipe', 'pipe'] },
    )
  }

  return { root, start }
}

/** Creates the links of this machine's root folder in a container, and returns the names of the folders to mount. */
function systemFolders(root: string): readonly string[] {
  const names = readdirSync('/').filter((name) => !hidden.has(name))
  const facts = names.map((name) => ({ name, entry: lstatSync(`/${name}`) }))
  for (const { name, entry } of facts)
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), path.join(root, name))
  return facts.flatMap(({ name, entry }) => (entry.isDirectory() ? [name] : []))
}

function createMountPoint(at: string, source: string): void {
  if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) return
  if (lstatSync(source).isDirectory()) mkdirSync(at, { recursive: true })
  else writeFileSync(at, '')
}

/**
 * True when this process may make mount namespaces, and other users may run this program. Otherwise, the tests that need
 * a container are skipped.
 */
export function canRunContainers(): boolean {
  const source = path.resolve(import.meta.dirname, '../../src/server/main.ts')
  if (process.getuid?.() !== 0 || hidden.has(source.split('/')[1] ?? '')) return false
  const read = [process.execPath, '-e', `require('fs').readFileSync(${JSON.stringify(source)})`] as const
  const [program, ...args] = read
  return (
    spawnSync('unshare', ['-m', 'true']).status === 0 &&
    spawnSync(program, args, { uid: 1000, gid: 1000 }).status === 0
  )
}
