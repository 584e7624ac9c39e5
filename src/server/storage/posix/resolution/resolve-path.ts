import { diskNameOf, diskParentOf } from '../../disk-path.ts'
import { closeSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, namesOf, parentOf, root, type Path } from '../../../../shared/domain/path.ts'
import { isSame, kindOf, type FileStat } from '../calls/file-stat.ts'
import {
  errnoOf,
  disposable,
  isUnreachable,
  openAnywhere,
  openAt,
  openUnconfined,
  openFlags,
  realPathOf,
} from '../calls/descriptors.ts'
import { belowRoot, insidePath, walkLinks, type LinkWalkResult } from './walk-links.ts'
import { isReserved, pathsWithOwnNames } from './reserved-names.ts'
import type { MainThreadRequest, RootContext, TaskContext } from './task-context.ts'

/**
 * An entry that is open as an O_PATH handle, which stays valid when the entry is renamed. The handle is closed at the
 * end of the block in which the entry is declared with `using`.
 */
export type ResolvedEntry = {
  readonly descriptor: number
  readonly stat: FileStat
  /** Path of the entry inside the root, with all links resolved. */
  readonly path: Path
  [Symbol.dispose](): void
}

/** Joins the path of a folder and a name in that folder. */
export const pathBelow = (folder: Path, name: string): Path =>
  (folder === root ? `/${name}` : `${folder}/${name}`) as Path

/** Resolves a path without following links. Returns null when any name in the path is a link. */
export function resolveLinkFree(context: TaskContext, path: Path): ResolvedEntry | null {
  const entry = openLinkFree(context, path)
  if (entry === null || kindOf(entry.stat) !== 'link') return entry && refuseOwn(context, entry)
  entry[Symbol.dispose]()
  return null
}

/** Resolves a path and follows links that stay inside the root. */
export async function resolvePath(context: TaskContext, path: Path): Promise<ResolvedEntry> {
  const entry = resolveLinkFree(context, path)
  if (entry !== null) return entry
  const reached = crossLinks(context, path)
  try {
    await refuseDeniedPath(context, reached.path)
  } catch (error) {
    if (reached.descriptor !== null) closeSync(reached.descriptor)
    throw error
  }
  if (reached.descriptor === null) {
    refuseMissingOwn(context, reached.path)
    throw new AppError('not-found')
  }
  return refuseOwn(context, statResolved(context, reached.descriptor, reached.path))
}

/** Resolves a path without following a link in its last name. Links in the names before it are followed. */
export async function resolveEntry(context: TaskContext, path: Path): Promise<ResolvedEntry> {
  const entry = openLinkFree(context, path)
  if (entry !== null) return refuseOwn(context, entry)
  using folder = await resolveFolder(context, parentOf(path))
  const entryPath = pathBelow(folder.path, nameOf(path))
  await refuseDeniedPath(context, entryPath)
  refuseOwnName(context, folder.stat, nameOf(path))
  const descriptor = openAt({ folder: folder.descriptor, name: nameOf(path) }, openFlags.handle)
  return refuseOwn(context, statResolved(context, descriptor, entryPath))
}

/** Resolves a path as `resolvePath` does. Throws `not-a-folder` when the entry is not a folder. */
export async function resolveFolder(context: TaskContext, path: Path): Promise<ResolvedEntry> {
  const found = await resolvePath(context, path)
  if (kindOf(found.stat) === 'folder') return found
  found[Symbol.dispose]()
  throw new AppError('not-a-folder')
}

/**
 * Returns the metadata of a link's target, or null when the link is broken or leads to itself. Throws `forbidden` when
 * the target is outside the root or denied.
 */
export async function statLinkTarget(context: TaskContext, path: Path): Promise<FileStat | null> {
  try {
    using target = await resolvePath(context, path)
    return target.stat
  } catch (error) {
    if (isDeadLink(error)) return null
    throw error
  }
}

/** Returns true when an error means that a link is broken or leads to itself. */
function isDeadLink(error: unknown): boolean {
  const code = error instanceof AppError ? error.code : errnoOf(error)
  return ['not-found', 'link-loop', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)
}

/**
 * Returns the targets of several links: metadata, null for a broken link or a target that cannot be reached, or `denied` for a link that leaves the root
 * or may not be followed. All paths are checked with a single request to the main thread.
 */
export async function statLinkTargets(
  context: TaskContext,
  paths: readonly Path[],
): Promise<(FileStat | null | 'denied')[]> {
  const reached = paths.map((path) => followLink(context, path))
  const verdicts = await checkPathsAgainstRules(
    context,
    reached.map((end) => (end === 'denied' ? root : end.path)),
  )
  return reached.map((end, index) => {
    const isDenied =
      end === 'denied' || verdicts[index] !== 1 || (end.stat !== null && isOwnFile(context, end.stat))
    return isDenied ? 'denied' : end.stat
  })
}

function followLink(
  context: TaskContext,
  path: Path,
): { readonly path: Path; readonly stat: FileStat | null } | 'denied' {
  try {
    const { descriptor, path: end } = crossLinks(context, path)
    if (descriptor === null) return { path: end, stat: null }
    using found = statResolved(context, descriptor, end)
    return { path: end, stat: found.stat }
  } catch (error) {
    return isDeadLink(error) || isUnreachable(error) ? { path, stat: null } : 'denied'
  }
}

/** Returns the path inside the root to which a broken link points, so that an entry can be created there. */
export function danglingTargetPath(context: TaskContext, path: Path): Path {
  const reached = walkLinks(context, namesOf(path))
  if (reached.descriptor !== null) closeSync(reached.descriptor)
  return reached.path
}

/**
 * Throws `forbidden` when the access rules deny a path, or when the path uses a name that is reserved for the server's
 * own files.
 */
export async function refuseDeniedPath(context: TaskContext, path: Path): Promise<void> {
  const [isAllowed] = await checkPathsAgainstRules(context, [path])
  if (isAllowed !== 1) throw new AppError('forbidden')
}

/**
 * Checks several paths against the rules. The result contains 1 for each allowed path and 0 for each denied path. When
 * `by` is `permits`, the user's dotfile preference is ignored.
 */
export async function checkPathsAgainstRules(
  { rootContext, link }: TaskContext,
  paths: readonly Path[],
  by: 'all' | 'permits' = 'all',
): Promise<Uint8Array> {
  const request: MainThreadRequest = { kind: 'paths', paths, by }
  const verdicts =
    rootContext.hasRules && paths.length > 0
      ? ((await link.sendRequest(request)) as Uint8Array)
      : new Uint8Array(paths.length).fill(1)
  for (const [index, path] of paths.entries())
    if (isReserved(path, rootContext.reservedNames)) verdicts[index] = 0
  return verdicts
}

/** Returns true when an entry is one of the server's own files. */
export const isOwnFile = ({ rootContext }: TaskContext, stat: FileStat): boolean =>
  rootContext.reservedFiles.files.some((file) => isSame(file, stat))

/** Throws `forbidden` for a folder in which the next start searches for its files. Such a folder stays where it is. */
export function refuseStartFolder({ rootContext }: TaskContext, stat: FileStat): void {
  const { startFolders = [] } = rootContext.reservedFiles
  if (startFolders.some((folder) => isSame(folder, stat))) throw new AppError('forbidden')
}

/**
 * Throws `forbidden` when a name in the given folder is reserved for the server's own files, even if no entry has this
 * name.
 */
export function refuseOwnName({ rootContext }: TaskContext, folder: FileStat, name: string): void {
  const { prefixes } = rootContext.reservedFiles
  const isReservedName = prefixes.some((own) => name.startsWith(own.prefix) && isSame(own, folder))
  if (isReservedName) throw new AppError('forbidden')
}

function refuseOwn(context: TaskContext, found: ResolvedEntry): ResolvedEntry {
  try {
    if (isOwnFile(context, found.stat)) throw new AppError('forbidden')
    if (context.rootContext.followsExternal) refuseOwnAnywhere(context, found)
    else
      for (const path of pathsWithOwnNames(context.rootContext.reservedFiles, found.path))
        refuseOwnPath(context, path)
    return found
  } catch (error) {
    found[Symbol.dispose]()
    throw error
  }
}

function refuseOwnPath(context: TaskContext, path: Path): void {
  const { calls, rootContext } = context
  const descriptor = calls.openNoFollow(rootContext.descriptor, namesOf(parentOf(path)))
  try {
    refuseOwnName(context, calls.stat(descriptor), nameOf(path))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Throws `forbidden` when the real path of an entry contains a name that is reserved for the server's own files. When
 * links may leave the root, the path inside the root does not contain all of these names.
 */
function refuseOwnAnywhere(context: TaskContext, { descriptor }: ResolvedEntry): void {
  if (context.rootContext.reservedFiles.prefixes.length === 0) return
  for (const path of pathsWithOwnNames(context.rootContext.reservedFiles, realPathOf(descriptor))) {
    using folder = disposable(openAnywhere(diskParentOf(path)))
    refuseOwnName(context, context.calls.stat(folder.descriptor), diskNameOf(path))
  }
}

/**
 * Opens a path. Returns null when any name before the last one is a link. When the last name is a link, the link itself
 * is opened.
 */
function openLinkFree(context: TaskContext, path: Path): ResolvedEntry | null {
  try {
    return statResolved(
      context,
      context.calls.openNoFollow(context.rootContext.descriptor, namesOf(path)),
      path,
    )
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') return null
    if (isMissing(error)) refuseMissingOwn(context, path)
    throw error
  }
}

const isMissing = (error: unknown): boolean => errnoOf(error) === 'ENOENT'

/**
 * Throws `forbidden` when a path contains a name that is reserved for the server's own files. The check includes names
 * without an entry, so that the response does not reveal whether such a file exists.
 */
function refuseMissingOwn(context: TaskContext, path: Path): void {
  for (const own of pathsWithOwnNames(context.rootContext.reservedFiles, path)) {
    try {
      refuseOwnPath(context, own)
    } catch (error) {
      if (error instanceof AppError) throw error
    }
  }
}

function statResolved(context: TaskContext, descriptor: number, path: Path): ResolvedEntry {
  try {
    const stat = context.calls.stat(descriptor)
    return { descriptor, stat, path, [Symbol.dispose]: () => closeSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function crossLinks(context: TaskContext, path: Path): LinkWalkResult {
  const names = namesOf(path)
  const { calls, rootContext } = context
  if (rootContext.followsExternal) return followUnconfined(rootContext, path)
  const descriptor = calls.openFollowing(rootContext.descriptor, names)
  if (descriptor === null) return walkLinks(context, names)
  try {
    return { descriptor, path: insidePath(rootContext.descriptor, descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Follows all links in a path, even links that leave the root. This function is used only with
 * `--followExternalSymlinks`.
 */
function followUnconfined(rootContext: RootContext, path: Path): LinkWalkResult {
  try {
    const descriptor = openUnconfined(rootContext.descriptor, path.slice(1))
    return { descriptor, path: belowRoot(realPathOf(rootContext.descriptor), realPathOf(descriptor)) ?? path }
  } catch (error) {
    if (isMissing(error)) return { descriptor: null, path }
    throw error
  }
}
