import { closeSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { namesOf, root, type Path } from '../../../../shared/domain/path.ts'
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
 * The result of following all links of a path: the resolved path and a handle, which is null when the last link is
 * broken.
 */
export type LinkWalkEnd = { readonly descriptor: number | null; readonly path: Path }

type LinkWalk = {
  readonly folders: number[]
  readonly names: string[]
  readonly todo: string[]
  hops: number
}

/**
 * Opens the names one after the other, each relative to the previous folder. The targets of links are resolved in the
 * same way and never lead above the root.
 */
export function walkLinks(context: LinkWalkContext, names: readonly string[]): LinkWalkEnd {
  const walk: LinkWalk = {
    folders: [reopen(context.rootContext.descriptor, openFlags.followingHandle)],
    names: [],
    todo: names.toReversed(),
    hops: 0,
  }
  try {
    while (walk.todo.length > 0) {
      if (!step(context, walk)) return { descriptor: null, path: missingPath(walk) }
    }
    const descriptor = walk.folders.pop() ?? -1
    return { descriptor, path: pathOfNames(walk.names) }
  } finally {
    for (const descriptor of walk.folders) closeSync(descriptor)
  }
}

/** Processes the next name. Returns false when no entry with this name exists. */
function step(context: LinkWalkContext, walk: LinkWalk): boolean {
  const name = walk.todo.pop() ?? ''
  if (name === '' || name === '.') return true
  if (name === '..') return climb(walk)
  const location: EntryLocation = { folder: walk.folders.at(-1) ?? -1, name }
  let descriptor: number
  try {
    descriptor = openAt(location, openFlags.handle)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    walk.todo.push(name)
    return false
  }
  if (kindOf(context.calls.stat(descriptor)) !== 'link') {
    walk.folders.push(descriptor)
    walk.names.push(name)
    return true
  }
  closeSync(descriptor)
  const target = readLinkNow(location)
  if (target === null) countHop(walk).todo.push(name)
  else follow(context, walk, target)
  return true
}

/**
 * Returns the target of a link, or null when another entry has replaced the link in the meantime, so that the caller
 * must look up the name again.
 */
function readLinkNow(location: EntryLocation): string | null {
  try {
    return readLinkAt(location)
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(errnoOf(error))) return null
    throw error
  }
}

function countHop(walk: LinkWalk): LinkWalk {
  walk.hops += 1
  if (walk.hops > maxHops) throw new AppError('link-loop')
  return walk
}

function climb(walk: LinkWalk): true {
  if (walk.names.pop() === undefined) throw new AppError('forbidden')
  const folder = walk.folders.pop()
  if (folder !== undefined) closeSync(folder)
  return true
}

function follow({ rootContext }: LinkWalkContext, walk: LinkWalk, target: string): void {
  countHop(walk)
  if (!target.startsWith('/')) {
    walk.todo.push(...target.split('/').toReversed())
    return
  }
  const inside = belowRoot(realPathOf(rootContext.descriptor), target)
  if (inside === null) throw new AppError('forbidden')
  for (const folder of walk.folders.splice(1)) closeSync(folder)
  walk.names.length = 0
  walk.todo.push(...namesOf(inside).toReversed())
}

/**
 * Returns the path of a target that does not exist. The path is computed from the names alone. Throws `forbidden` when
 * it leaves the root.
 */
function missingPath({ names, todo }: LinkWalk): Path {
  const path = [...names]
  for (const name of todo.toReversed()) {
    if (name === '' || name === '.') continue
    if (name !== '..') path.push(name)
    else if (path.pop() === undefined) throw new AppError('forbidden')
  }
  return pathOfNames(path)
}

/** Joins names to a path. */
export const pathOfNames = (names: readonly string[]): Path => `/${names.join('/')}` as Path
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
export function belowRoot(rootPath: string, path: string): Path | null {
  if (path === rootPath) return root
  const start = rootPath === '/' ? '/' : `${rootPath}/`
  return path.startsWith(start) ? pathOfNames(path.slice(start.length).split('/').filter(Boolean)) : null
}
