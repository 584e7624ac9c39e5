import { posix } from 'node:path'
import { pathOf, type Path } from '../../../shared/domain/path.ts'
import type { TakeoverMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { OriginalTraits } from '../original/read-original.ts'
import type { ServedFolder } from './served-folder.ts'

/** The scope of a user after the takeover. */
export type ScopePlan = {
  readonly scope: string
  /** A message for the administrator about a changed meaning; null when the scope means what it meant. */
  readonly note: TakeoverMessage | null
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
  if (confined === null) return unchanged(written, { code: 'scope-invalid', values: { scope: written } })
  const isThere = hasFolder(confined)
  const host = written.startsWith('/') ? posix.normalize(written) : posix.join(root, written)
  if (confinesScopes || isSameFolder(written, host, root))
    return unchanged(written, noteOn(written, { confined, isThere }))
  const inside = isThere ? null : folderInside(written, { ...context, host })
  if (inside !== null)
    return unchanged(inside, { code: 'scope-same-folder', values: { scope: written, folder: inside } })
  const isAboveRoot = isHostPathIn(root, host)
  return {
    scope: written,
    note: { code: isThere ? 'scope-moved' : 'scope-gone', values: { scope: written, folder: confined } },
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
const unchanged = (scope: string, note: TakeoverMessage | null): ScopePlan => ({
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
): TakeoverMessage | null {
  const values = { scope: written, folder: confined }
  if (!isThere) return { code: 'scope-missing', values }
  return written.split('/').includes('..') ? { code: 'scope-read-as', values } : null
}

/** Returns true for a scope that early versions read as a folder of the machine, or that leaves the served folder. */
export const isHostScope = (scope: string): boolean =>
  scope.startsWith('/') || posix.join('root', scope).split('/')[0] !== 'root'

const isHostPathIn = (path: string, folder: string): boolean => {
  const relative = posix.relative(folder, path)
  return relative !== '..' && !relative.startsWith('../')
}
