import type { DiskPath } from '../../disk-path.ts'
import { closeSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { pathOfNames, namesOf, root, type Path } from '../../../../shared/domain/path.ts'
import { kindOf } from '../calls/file-stat.ts'
import type { FileSystemCalls, EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, openAt, openFlags, readLinkAt, realPathOf, reopen } from '../calls/descriptors.ts'

type LinkWalkContext = {
  readonly calls: FileSystemCalls
  readonly rootContext: { readonly descriptor: number }
}

/** Maximum number of links that are followed for one path. The kernel has the same limit (path_resolution(7)). */
const maxHops = 40

/**
 * The result of following all links in a path: the resolved path and an open handle. The handle is null when no entry
 * exists at the resolved path.
 */
export type LinkWalkResult = { readonly descriptor: number | null; readonly path: Path }

type LinkWalkState = {
  readonly folders: number[]
  readonly names: string[]
  readonly remainingNames: string[]
  hops: number
}

/**
 * Opens the names one after the other, each relative to the previous folder. The targets of links are resolved in the
 * same way and never lead above the root.
 */
export function walkLinks(context: LinkWalkContext, names: readonly string[]): LinkWalkResult {
  const walk: LinkWalkState = {
    folders: [reopen(context.rootContext.descriptor, openFlags.followingHandle)],
    names: [],
    remainingNames: names.toReversed(),
    hops: 0,
  }
  try {
    while (walk.remainingNames.length > 0) {
      if (!openNextName(context, walk)) return { descriptor: null, path: missingPath(walk) }
    }
    const descriptor = walk.folders.pop() ?? -1
    return { descriptor, path: pathOfNames(walk.names) }
  } finally {
    for (const descriptor of walk.folders) closeSync(descriptor)
  }
}

/** Opens the next name or follows its link. Returns false when no entry with this name exists. */
function openNextName(context: LinkWalkContext, walk: LinkWalkState): boolean {
  const name = walk.remainingNames.pop() ?? ''
  if (name === '' || name === '.') return true
  if (name === '..') return goToParent(walk)
  const location: EntryLocation = { folder: walk.folders.at(-1) ?? -1, name }
  let descriptor: number
  try {
    descriptor = openAt(location, openFlags.handle)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    walk.remainingNames.push(name)
    return false
  }
  if (kindOf(context.calls.stat(descriptor)) !== 'link') {
    walk.folders.push(descriptor)
    walk.names.push(name)
    return true
  }
  closeSync(descriptor)
  const target = readLinkOrNull(location)
  if (target === null) countHop(walk).remainingNames.push(name)
  else follow(context, walk, target)
  return true
}

/**
 * Returns the target of a link. Returns null when the link was removed or replaced after it was found; the caller must
 * then look up the name again.
 */
function readLinkOrNull(location: EntryLocation): string | null {
  try {
    return readLinkAt(location)
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(errnoOf(error))) return null
    throw error
  }
}

function countHop(walk: LinkWalkState): LinkWalkState {
  walk.hops += 1
  if (walk.hops > maxHops) throw new AppError('link-loop')
  return walk
}

function goToParent(walk: LinkWalkState): true {
  if (walk.names.pop() === undefined) throw new AppError('forbidden')
  const folder = walk.folders.pop()
  if (folder !== undefined) closeSync(folder)
  return true
}

function follow({ rootContext }: LinkWalkContext, walk: LinkWalkState, target: string): void {
  countHop(walk)
  if (!target.startsWith('/')) {
    walk.remainingNames.push(...target.split('/').toReversed())
    return
  }
  const inside = belowRoot(realPathOf(rootContext.descriptor), target)
  if (inside === null) throw new AppError('forbidden')
  for (const folder of walk.folders.splice(1)) closeSync(folder)
  walk.names.length = 0
  walk.remainingNames.push(...namesOf(inside).toReversed())
}

/**
 * Returns the path of a link target that does not exist. The path is computed from the names alone. Throws `forbidden`
 * when the path leaves the root.
 */
function missingPath({ names, remainingNames }: LinkWalkState): Path {
  const path = [...names]
  for (const name of remainingNames.toReversed()) {
    if (name === '' || name === '.') continue
    if (name !== '..') path.push(name)
    else if (path.pop() === undefined) throw new AppError('forbidden')
  }
  return pathOfNames(path)
}

/**
 * Returns the current path of an open entry inside the root. Throws `forbidden` when the entry has been moved out of
 * the root.
 */
export function insidePath(rootDescriptor: number, descriptor: number): Path {
  const path = belowRoot(realPathOf(rootDescriptor), realPathOf(descriptor))
  if (path === null) throw new AppError('forbidden')
  return path
}

/** Converts an absolute path on disk to a path inside the root. Returns null when the path is outside the root. */
export function belowRoot(rootPath: DiskPath, path: string): Path | null {
  if (path === rootPath) return root
  const start = rootPath === '/' ? '/' : `${rootPath}/`
  return path.startsWith(start) ? pathOfNames(path.slice(start.length).split('/').filter(Boolean)) : null
}
