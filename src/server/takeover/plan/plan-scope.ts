import { posix } from 'node:path'
import { pathOf, type Path } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { OriginalTraits } from '../original/read-original.ts'
import type { ServedFolder } from './served-folder.ts'

/** The scope of a user after the takeover. */
export type ScopePlan = {
  readonly scope: string
  /** A sentence for the administrator about a changed meaning; null when the scope means what it meant. */
  readonly note: string | null
  /**
   * True when the scope names a folder that exists and that may not be the one the user had. The user must not see it
   * before an administrator has looked.
   */
  readonly isDoubtful: boolean
  /** The folder of the machine that the user had, when it is not the folder of the scope; null when it is. */
  readonly formerFolder: string | null
  /**
   * True when the former folder contains the served folder and more. Each file then had a longer path, so the rules of the
   * user match other files now.
   */
  readonly containedRoot: boolean
}

/** The parts of the served folder that decide what a scope means. */
export type ScopeContext = Pick<ServedFolder, 'root' | 'formerRoot' | 'hasFolder' | 'isOtherFolder'>

/**
 * Plans the scope of a user. Old versions of File Browser read an absolute scope as a folder of the machine, and followed
 * `..` out of the root. Here a scope is always below the root (contract 15.4, 3). A folder of the machine that lies inside
 * the root stays the same folder.
 */
export function planScope(
  written: string,
  context: ScopeContext,
  { confinesScopes }: Pick<OriginalTraits, 'confinesScopes'>,
): ScopePlan {
  const { root, hasFolder } = context
  const confined = confinedScope(written)
  if (confined === null)
    return unchanged(written, `The scope ${written} is not a folder, so nothing is shown.`)
  const isThere = hasFolder(confined)
  const host = written.startsWith('/') ? posix.normalize(written) : posix.join(root, written)
  if (confinesScopes || isSameFolder(written, host, root))
    return unchanged(written, noteOn(written, { confined, isThere }))
  const inside = isThere ? null : folderInside(written, { ...context, host })
  if (inside !== null) {
    const note = `The scope ${written} was a folder of the machine. It is ${inside} now, which is the same folder below the root.`
    return unchanged(inside, note)
  }
  const isAboveRoot = isHostPathIn(root, host)
  const outcome = isThere
    ? `It is ${confined} below the root now.`
    : `There is no folder ${confined} below the root.`
  return {
    scope: written,
    note: `The scope ${written} was a folder of the machine. ${outcome}`,
    isDoubtful: isThere && !isAboveRoot,
    formerFolder: host,
    containedRoot: isThere && isAboveRoot,
  }
}

/**
 * Returns the path below the root of a folder that lay inside of it. In a container, the root often had another path than
 * here. Returns null when the folder lay elsewhere, or when the scope can mean two folders that exist.
 */
function folderInside(
  written: string,
  { root, formerRoot, hasFolder, isOtherFolder, host }: ScopeContext & { readonly host: string },
): string | null {
  const inside = isHostPathIn(host, root) ? `/${posix.relative(root, host)}` : null
  const former = written.startsWith('/') ? pathInFormerRoot(host, formerRoot) : null
  if (former === null || former === inside || !hasFolder(former)) return inside
  return inside !== null || isOtherFolder(host, former) ? null : former
}

/** Returns the path of a folder below the former root. A root of `/` does not show which folders were served. */
function pathInFormerRoot(host: string, formerRoot: string | null): Path | null {
  if (formerRoot === null || !formerRoot.startsWith('/')) return null
  const folder = posix.normalize(formerRoot)
  return folder === '/' || !isHostPathIn(host, folder) ? null : pathOf(`/${posix.relative(folder, host)}`)
}

/** The plan of a scope that is the same folder as before. */
const unchanged = (scope: string, note: string | null): ScopePlan => ({
  scope,
  note,
  isDoubtful: false,
  formerFolder: null,
  containedRoot: false,
})

/** Returns true for a relative scope that stays inside the root, which every version reads in the same way. */
const isSameFolder = (written: string, host: string, root: string): boolean =>
  !written.startsWith('/') && isHostPathIn(host, root)

function noteOn(
  written: string,
  { confined, isThere }: { readonly confined: string; readonly isThere: boolean },
): string | null {
  if (!isThere) return `The scope ${written} is ${confined} below the root, but there is no such folder.`
  return written.split('/').includes('..')
    ? `The scope ${written} is read as ${confined} below the root.`
    : null
}

/** Returns true for a scope that early versions read as a folder of the machine, or that leaves the served folder. */
export const isHostScope = (scope: string): boolean =>
  scope.startsWith('/') || posix.join('root', scope).split('/')[0] !== 'root'

const isHostPathIn = (path: string, folder: string): boolean => {
  const relative = posix.relative(folder, path)
  return relative !== '..' && !relative.startsWith('../')
}
