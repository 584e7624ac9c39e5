import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { isText } from '../../../shared/domain/name-bytes.ts'
import { joinPaths, pathOf, type Path } from '../../../shared/domain/path.ts'

/** An entry that a share can refer to, or the reason why there is none. */
export type SharedEntry =
  | { readonly kind: 'file' | 'folder'; readonly path: Path }
  | { readonly kind: 'absent' | 'outside' | 'special' }

/** The served folder, as far as a plan of a takeover reads it. Nothing in it is changed. */
export type ServedFolder = {
  /** The absolute path of the folder, as it is configured. */
  readonly root: string
  /**
   * The path that the served folder had for File Browser, such as `/srv` in a container; null when it is not known. It is
   * the path in the database, which a flag could replace.
   */
  readonly formerRoot: string | null
  readonly hasFolder: (path: Path) => boolean
  /**
   * Returns true when this machine has, or may have, something at an absolute path that is not the given folder of the
   * served folder.
   */
  readonly isOtherFolder: (hostPath: string, path: Path) => boolean
  /**
   * Finds an entry in the scope of a user. Its path is the one without symbolic links. An entry behind a link that leaves
   * the scope is outside, unless such links are followed.
   */
  readonly find: (scope: Path, path: Path) => SharedEntry
  /** Returns the names in a folder of a scope; none when the folder cannot be read. */
  readonly namesIn: (scope: Path, folder: Path) => readonly string[]
}

export function createServedFolder(
  root: string,
  {
    followExternalSymlinks,
    formerRoot = null,
  }: { readonly followExternalSymlinks: boolean; readonly formerRoot?: string | null },
): ServedFolder {
  const realRoot = realpathSync(root)
  const namesByFolder = new Map<string, readonly string[]>()

  function find(scope: Path, path: Path): SharedEntry {
    if (!isText(scope) || !isText(path)) return { kind: 'absent' }
    const scopeOnDisk = realPath(`${realRoot}${scope}`)
    const target = scopeOnDisk === null ? null : realPath(`${scopeOnDisk}${path}`)
    if (target === null || scopeOnDisk === null) return { kind: 'absent' }
    const kind = kindOf(target)
    if (kind === 'absent' || kind === 'special') return { kind }
    const isInside = isBelow(target, scopeOnDisk) && isBelow(scopeOnDisk, realRoot)
    if (!isInside && !followExternalSymlinks) return { kind: 'outside' }
    const real = isInside
      ? pathOf(target.slice(realRoot === '/' ? 0 : realRoot.length))
      : joinPaths(scope, path)
    return real === null ? { kind: 'absent' } : { kind, path: real }
  }

  function namesIn(scope: Path, folder: Path): readonly string[] {
    const at = joinPaths(scope, folder)
    const known = at === null ? [] : namesByFolder.get(at)
    if (known !== undefined || at === null) return known ?? []
    const names = namesOnDisk(`${realRoot}${at}`)
    namesByFolder.set(at, names)
    return names
  }

  return {
    root,
    formerRoot,
    isOtherFolder(hostPath, path) {
      if (isText(hostPath) && isAbsent(hostPath)) return false
      const real = isText(hostPath) ? realPath(hostPath) : null
      return real === null || real !== realPath(`${realRoot}${path}`)
    },
    hasFolder: (path) => isText(path) && kindOf(`${realRoot}${path}`) === 'folder',
    find,
    namesIn,
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Returns true when there is certainly nothing at a path. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

function kindOf(path: string): 'file' | 'folder' | 'special' | 'absent' {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return 'folder'
    return stat.isFile() ? 'file' : 'special'
  } catch {
    return 'absent'
  }
}

function namesOnDisk(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
