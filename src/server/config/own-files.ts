import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { ownFilesBase } from './database-place.ts'
import { previewFolderOf } from './preview-folder.ts'
import type { Config } from './serving-options.ts'

/** A file or folder, whatever its name. */
export type Identity = { readonly dev: bigint; readonly ino: bigint }

/** The server's own files: those that are there, and names beside the database and the log that are theirs, there or not. */
export type OwnFiles = {
  readonly files: readonly Identity[]
  readonly prefixes: readonly (Identity & { readonly prefix: string })[]
  /** Real paths of the folders that they lie in: several of one folder that is mounted in several places. */
  readonly folders: readonly string[]
}

/** How old an answer may be: certificates are renewed and logs put aside while the server runs. */
const freshMs = 1000

/** What must not be served wherever it lies, looked up anew when the last look is too old. */
export function ownFilesOf(config: Config, nowMs: () => number): () => OwnFiles {
  const log = ['', 'stdout', 'stderr'].includes(config.log) ? [] : [config.log]
  const cache = config.cacheDir === '' ? [] : [previewFolderOf(config)]
  const database = isDatabaseAddress(config.database) ? [] : [config.database]
  const named = [...new Set([...database, ownFilesBase(config)]), ...cache, ...log]
  const beside = database.flatMap((file) => [`${file}-wal`, `${file}-shm`])
  const files = [...named, ...beside, config.configFile, config.key]
  const look = (): OwnFiles => {
    const mounts = mountsNow()
    return {
      files: files.flatMap((file) => identityOf(file) ?? []),
      prefixes: named.flatMap((file) => {
        const folder = identityOf(dirname(file))
        return folder === null ? [] : [{ ...folder, prefix: basename(file) }]
      }),
      folders: [
        ...new Set([
          ...files.flatMap((file) => realFoldersOf(file, mounts)),
          ...named.flatMap((file) => realFoldersToBe(file, mounts)),
        ]),
      ],
    }
  }
  let known = look()
  let lookedAtMs = nowMs()
  return () => {
    // A folder that is still to be made may be there by now, and what lies in it is ours at once.
    const isWhole = known.prefixes.length === named.length
    if (!isWhole || nowMs() - lookedAtMs > freshMs) {
      known = look()
      lookedAtMs = nowMs()
    }
    return known
  }
}

function identityOf(file: string): Identity | null {
  if (file === '') return null
  const facts = statSync(file, { bigint: true, throwIfNoEntry: false })
  return facts === undefined ? null : { dev: facts.dev, ino: facts.ino }
}

/** Where a file that is there really lies: it may be named through links. */
function realFoldersOf(file: string, mounts: readonly Mount[]): string[] {
  return identityOf(file) === null ? [] : everyPathOf(realpathSync(file), mounts).map(dirname)
}

/** Where a file of ours lies as soon as it is there. */
function realFoldersToBe(file: string, mounts: readonly Mount[]): string[] {
  const folder = dirname(file)
  return identityOf(folder) === null ? [] : everyPathOf(realpathSync(folder), mounts)
}

/** A folder or a file of a disk, `root`, and where it is to be found. */
type Mount = { readonly device: string; readonly root: string; readonly point: string }

/** In the order in which they were made; none where the system does not say. */
function mountsNow(): readonly Mount[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountOf)
  } catch {
    return []
  }
}

function mountOf(row: string): Mount[] {
  const [, , device, root, point] = row.split(' ').map(inPlain)
  return device === undefined || root === undefined || point === undefined ? [] : [{ device, root, point }]
}

/** The kernel writes blanks and the like in octal. */
const inPlain = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/**
 * All paths of what has this one. In containers the database, or its folder, is often mounted a second time beside the folder that is
 * served, which holds it too.
 */
function everyPathOf(path: string, mounts: readonly Mount[]): string[] {
  const above = mounts.filter(({ point }) => isWithin(path, point))
  // Of two on one point, the later one covers the other.
  const holder = above.reduce<Mount | null>(
    (best, mount) => (best !== null && mount.point.length < best.point.length ? best : mount),
    null,
  )
  if (holder === null) return [path]
  const onDisk = join(holder.root, relative(holder.point, path))
  const same = mounts.filter(({ device, root }) => device === holder.device && isWithin(onDisk, root))
  return [path, ...same.map(({ root, point }) => join(point, relative(root, onDisk)))]
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)
