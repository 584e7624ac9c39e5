import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { isWithinFolder, mountHolding, pathOnDevice, readMounts, type Mount } from './mounts.ts'
import { ownFilesBase, previewFolderOf, startFilesIn, takenOverSuffix } from './state-paths.ts'
import type { Config } from './serving-options.ts'

/** The device and inode numbers of a file or folder, which identify it under any of its names. */
export type FileIdentity = { readonly dev: bigint; readonly ino: bigint }

/**
 * The server's own files, which must not be served: all that exist now, and the name prefixes of files that may be
 * created later beside the database and the log.
 */
export type OwnFileSet = {
  readonly files: readonly FileIdentity[]
  readonly prefixes: readonly (FileIdentity & { readonly prefix: string })[]
  /**
   * The real paths of the folders that contain these files. A folder that is mounted several times has several paths.
   */
  readonly folders: readonly string[]
  /** The folders in which the next start searches for its configuration and its state. */
  readonly startFolders: readonly FileIdentity[]
}

/**
 * A result is reused for 1 second. It cannot be cached forever, because certificates are renewed and logs are rotated
 * while the server runs.
 */
const freshMs = 1000

/** The places of the server's own files that the configuration does not name. */
export type OwnFilesOptions = {
  /** The database of File Browser from which the state was taken over. It is never served. */
  readonly originalDatabase?: string | null
  /**
   * Paths, outside of the served folder, from which a later start would read its configuration or its state. Their names are
   * reserved, because a user could otherwise upload a configuration with another database.
   */
  readonly startFiles?: readonly string[]
}

/**
 * Returns a function that reads the set of the server's own files. The function caches its last result for `freshMs`.
 */
export function createOwnFilesReader(
  config: Config,
  nowMs: () => number,
  { originalDatabase = null, startFiles = [] }: OwnFilesOptions = {},
): () => OwnFileSet {
  const log = [config.log, config.auditLog].filter((target) => !['', 'stdout', 'stderr'].includes(target))
  const cache = config.cacheDir === '' ? [] : [previewFolderOf(config)]
  const database = isDatabaseUrl(config.database) ? [] : [config.database]
  // The name of the original stays reserved after it was removed. The next start would use another file of this name.
  const besideState = database.flatMap((file) =>
    file.endsWith(takenOverSuffix) ? [file.slice(0, -takenOverSuffix.length)] : [],
  )
  const original = originalDatabase === null ? besideState : [originalDatabase, ...besideState]
  const named = [...new Set([...database, ownFilesBase(config), ...original]), ...cache, ...log]
  const beside = database.flatMap((file) => [`${file}-wal`, `${file}-shm`])
  const ofStart = [...new Set([...startFilesIn(config.root), ...startFiles])]
  const startFolders = [...new Set(startFiles.map(dirname))]
  const replaced = [config.configFile, config.key].filter((file) => file !== '')
  const files = [...named, ...beside, ...replaced]
  const findOwnFiles = (): OwnFileSet & { readonly isWhole: boolean } => {
    const mounts = readMounts()
    const prefixes = named.flatMap(prefixOf)
    return {
      isWhole: prefixes.length === named.length,
      files: files.flatMap((file) => identityOf(file) ?? []),
      prefixes: [
        ...prefixes,
        ...ofStart.flatMap(prefixOf),
        ...[...named, ...replaced].flatMap(prefixOfTarget),
        ...replaced.flatMap(prefixOf),
      ],
      folders: [
        ...new Set([
          ...files.flatMap((file) => realFoldersOf(file, mounts)),
          ...[...named, ...startFiles].flatMap((file) => realFoldersOfFuture(file, mounts)),
        ]),
      ],
      startFolders: startFolders.flatMap((folder) => identityOf(folder) ?? []),
    }
  }
  let current = findOwnFiles()
  let foundAtMs = nowMs()
  return () => {
    // A folder that was missing at the previous check may exist by now. Its files must be protected immediately, so an
    // incomplete result is not reused.
    if (!current.isWhole || nowMs() - foundAtMs > freshMs) {
      current = findOwnFiles()
      foundAtMs = nowMs()
    }
    return current
  }
}

/** Returns the reserved prefix of a file and files beside it. None when the folder of the file does not exist. */
function prefixOf(file: string): OwnFileSet['prefixes'] {
  const folder = identityOf(dirname(file))
  return folder === null ? [] : [{ ...folder, prefix: basename(file) }]
}

/**
 * Returns the reserved prefix of the file to which a link leads. SQLite keeps its log beside that file, and a program that renews
 * certificates puts the next key there with another number: `privkey2.pem` after `privkey1.pem`.
 */
function prefixOfTarget(file: string): OwnFileSet['prefixes'] {
  const target = realPathOf(file)
  const folder = realPathOf(dirname(file))
  if (target === null || folder === null || target === join(folder, basename(file))) return []
  const [, name = basename(target)] = /^(.*\D)\d+\.[^.]*$/.exec(basename(target)) ?? []
  return prefixOf(join(dirname(target), name))
}

function identityOf(file: string): FileIdentity | null {
  if (file === '') return null
  const stat = lookUp(() => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return stat === null || stat === undefined ? null : { dev: stat.dev, ino: stat.ino }
}

/** Returns the path of a file without links. A missing file is looked up without an exception first, because many are missing. */
const realPathOf = (file: string): string | null =>
  identityOf(file) === null ? null : lookUp(() => realpathSync(file))

/** The codes of system errors for a path at which nothing is, or which this process may not look up. */
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'])

/**
 * Looks up a path. Returns null when nothing is there, for example while another program replaces a link. Returns null as well
 * when this process may not enter a folder of the path, for example the home of another user, because it cannot serve a file
 * there either.
 */
function lookUp<Found>(find: () => Found): Found | null {
  try {
    return find()
  } catch (error) {
    if (notFoundCodes.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Returns the real folders of an existing file, whose configured path may contain links. */
function realFoldersOf(file: string, mounts: readonly Mount[]): string[] {
  const path = realPathOf(file)
  return path === null ? [] : allPathsOf(path, mounts).map(dirname)
}

/** Returns the real folders in which a file of the server will be created. */
function realFoldersOfFuture(file: string, mounts: readonly Mount[]): string[] {
  const folder = realPathOf(dirname(file))
  return folder === null ? [] : allPathsOf(folder, mounts)
}

/**
 * Returns all paths under which the mounts make a file visible. In containers, a database inside the served folder is
 * often mounted a second time at a path of its own.
 */
function allPathsOf(path: string, mounts: readonly Mount[]): string[] {
  const onDisk = pathOnDevice(path, mounts)
  if (onDisk === null) return [path]
  const device = mountHolding(path, mounts)?.device
  const same = mounts.filter((mount) => mount.device === device && isWithinFolder(onDisk, mount.root))
  return [path, ...same.map(({ root, point }) => join(point, relative(root, onDisk)))]
}
