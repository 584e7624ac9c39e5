import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  type BigIntStats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { isWithinFolder, pathOnDevice, readMounts, type Mount } from './mounts.ts'
import { containerStartFiles, ownFilesBase, previewFolderOf } from './state-paths.ts'
import type { Config } from './serving-options.ts'

/** A file of the server, and the path in the served folder at which it appears as if it were another file. */
export type ServedFile = { readonly file: string; readonly servedAs: string }

/**
 * The types of file systems that are searched below the served folder: those that show the files of other folders with inodes of
 * their own, and those of local disks, which may be a part of a union that contains the state. Others, such as those of
 * networks, could stall the start.
 */
const searchedTypes = new Set([
  'overlay',
  'aufs',
  'unionfs',
  'fuse.bindfs',
  'fuse.mergerfs',
  'fuse.mhddfs',
  'fuse.shfs',
  'fuse.unionfs',
  'fuse.unionfs-fuse',
  'bcachefs',
  'btrfs',
  'exfat',
  'ext2',
  'ext3',
  'ext4',
  'f2fs',
  'fuseblk',
  'ntfs3',
  'tmpfs',
  'vfat',
  'xfs',
  'zfs',
])

/**
 * Returns those of the server's own files that appear in the served folder with another device or inode, as in a union of
 * several disks. The server knows its files by these numbers, and would serve such an appearance. The served folder is not
 * searched: a file at `/a/b/c` is looked for at `b/c` and the other ends of its path, below the served folder and below the
 * disks and unions that are mounted in it. Nothing is written.
 */
export const findServedFiles = (root: string, files: readonly string[]): readonly ServedFile[] =>
  findPlaces(root, files, isOtherAppearance)

function findPlaces(
  root: string,
  files: readonly string[],
  isAppearance: (file: string, place: string) => boolean,
): readonly ServedFile[] {
  const mounts = readMounts()
  const folder = realpathSync(root)
  const inside = mounts.filter(({ type, point }) => searchedTypes.has(type) && isWithinFolder(point, folder))
  const folders = [...new Set([folder, ...inside.map(({ point }) => point)])]
  return files.flatMap((file) => {
    const places = folders.flatMap((below) => endsOf(file, mounts).map((end) => join(below, end)))
    const servedAs = [...new Set(places)].find((place) => isAppearance(file, place))
    return servedAs === undefined ? [] : [{ file, servedAs }]
  })
}

/** Returns the ends of the paths of a file: of its real path, and of its path on the device that contains it. */
function endsOf(file: string, mounts: readonly Mount[]): readonly string[] {
  if (statOf(file) === null) return []
  const path = realpathSync(file)
  return [path, pathOnDevice(path, mounts) ?? path].flatMap((whole) => {
    const names = whole.split('/').slice(1)
    return names.map((_, from) => names.slice(from).join('/'))
  })
}

/** The largest number of comparisons of two paths while the file at the first one changes. */
const comparisons = 5

/**
 * Returns true when a path leads to the content of a file, and has another device or inode. A copy is something else: nobody can
 * choose the time at which the system notes a change of it.
 */
function isOtherAppearance(file: string, place: string): boolean {
  for (let count = 0; count < comparisons; count += 1) {
    const [before, other, after] = [statOf(file), statOf(place), statOf(file)]
    if (before === null || other === null || after === null) return false
    if (before.dev === other.dev && before.ino === other.ino) return false
    if (timesOf(before) === timesOf(after)) return timesOf(before) === timesOf(other)
  }
  return false
}

const timesOf = ({ size, mtimeNs, ctimeNs }: BigIntStats): string => [size, mtimeNs, ctimeNs].join(' ')

/** Returns true for another appearance of a file whose name is random, so that no other file has it. */
function isOtherMarker(file: string, place: string): boolean {
  const [own, other] = [statOf(file), statOf(place)]
  return own !== null && other !== null && (own.dev !== other.dev || own.ino !== other.ino)
}

function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Throws `unsupported` when the served folder shows the server's own files, or a folder in which the next start looks for them,
 * through another file system. New files with random names are created in these folders, and removed again: a file that changes,
 * or that does not exist yet, may not be found.
 */
export function refuseServedState(config: Config): void {
  const database = isDatabaseUrl(config.database) ? [] : [config.database]
  const logs = [config.log, config.auditLog].filter((target) => target.startsWith('/'))
  const bases = [...database, ownFilesBase(config), previewFolderOf(config), ...logs]
  const suffix = `.${randomBytes(16).toString('hex')}`
  // A folder that only the container mounts is not created here, and the root of a container is no volume.
  const ofStart = containerStartFiles.filter((file) => dirname(file) !== '/' && existsSync(dirname(file)))
  const perFolder = new Map([...ofStart, ...bases].map((base) => [dirname(base), base + suffix]))
  const markers = [...perFolder.values()].filter(createMarker)
  try {
    const files = [...database, config.key, config.configFile].filter((file) => file !== '')
    const [found] = [
      ...findPlaces(config.root, markers, isOtherMarker),
      ...findServedFiles(config.root, files),
    ]
    if (found !== undefined) throw new AppError('unsupported', { reason: refusalOf(found) })
  } finally {
    for (const marker of markers) rmSync(marker, { force: true })
  }
}

const refusalOf = ({ file, servedAs }: ServedFile): string =>
  `the served folder shows the server's own folder ${dirname(file)} as ${dirname(servedAs)}, through another file system, where users could read and change what a start uses; serve a folder without it`

/** Creates an empty file, and the missing folders above it. Returns false where this is not possible. */
function createMarker(file: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch {
    return false
  }
}
