import type { DiskPath } from '../../disk-path.ts'
import { pathOfNames, isWithin, namesOf, type Path } from '../../../../shared/domain/path.ts'
import type { InodeId } from '../calls/file-stat.ts'

/** Name of the server's own folder at the top of a volume. */
export const ownFolder = '.stowage'

/** Suffix of the names of staged files. The part before the suffix is a dot and 128 random bits in hexadecimal. */
const stagedSuffix = '.stowage-part'
const stagedName = /^\.[0-9a-f]{32}\.stowage-part$/

/** Builds the name of a staged file from 32 random hexadecimal digits. */
export const stagedNameOf = (randomHex: string): string => `.${randomHex}${stagedSuffix}`

/** Returns true for a name in the format of staged files. */
export const isStagedName = (name: string): boolean =>
  name.length === 33 + stagedSuffix.length && stagedName.test(name)

/** Top-level folders of the machine in which the kernel and the system keep run-time data. They are never served. */
const kernelFolders = ['proc', 'sys', 'dev', 'run']

/** Returns the names at the top of a volume that are not served. */
export const reservedNamesAt = (volumeRealPath: string): readonly string[] =>
  volumeRealPath === '/' ? [ownFolder, ...kernelFolders] : [ownFolder]

/**
 * Returns true when a path contains a reserved name or the name of a staged file, and is therefore not served.
 * `reservedNames` contains the reserved names directly below the root. It is empty unless the root is the root of the
 * volume.
 */
export function isReserved(path: Path, reservedNames: readonly string[]): boolean {
  if (reservedNames.some((name) => isWithin(path, pathOfNames([name])))) return true
  return path.includes(stagedSuffix) && namesOf(path).some(isStagedName)
}

/**
 * The server's own files, such as its database. Requests for them are refused, and listings omit them, because they may
 * be located inside the served folder.
 */
export type ReservedFiles = {
  readonly files: readonly InodeId[]
  /**
   * In this folder, every name that begins with the prefix is reserved for the server, even if no such file exists. For
   * example, a database creates files next to its main file.
   */
  readonly prefixes: readonly (InodeId & { readonly prefix: string })[]
  /**
   * Real paths of all folders that contain the server's own files. When these paths are known, a tree without any of
   * these folders need not be searched for such files before it is moved or deleted.
   */
  readonly folders?: readonly string[]
  /**
   * Folders in which the next start searches for its configuration and its state. They are neither moved nor removed,
   * because somebody could then put another folder in their place.
   */
  readonly startFolders?: readonly InodeId[]
}

/** Returns true when any name in a path may belong to one of the server's own files. */
export const hasOwnName = ({ prefixes }: ReservedFiles, path: Path): boolean =>
  prefixes.some(({ prefix }) => path.includes(`/${prefix}`))

/**
 * Checks the names in a path. Returns, for each name that may belong to one of the server's own files, the path up to
 * this name.
 */
export function pathsWithOwnNames<AnyPath extends Path | DiskPath>(
  own: ReservedFiles,
  path: AnyPath,
): AnyPath[] {
  if (own.prefixes.length === 0) return []
  const names = path.split('/').slice(1)
  return names.flatMap((name, depth) =>
    own.prefixes.some(({ prefix }) => name.startsWith(prefix))
      ? [`/${names.slice(0, depth + 1).join('/')}` as AnyPath]
      : [],
  )
}
