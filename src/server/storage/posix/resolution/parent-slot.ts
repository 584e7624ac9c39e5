import { diskNameOf, diskParentOf } from '../../disk-path.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { pathOfNames, nameOf, namesOf, parentOf, root, type Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import {
  errnoOf,
  disposable,
  makeFolderAt,
  openAnywhere,
  openAt,
  openFlags,
  realPathOf,
} from '../calls/descriptors.ts'
import { kindOf } from '../calls/file-stat.ts'
import {
  resolvePath,
  resolveEntry,
  resolveFolder,
  danglingTargetPath,
  statLinkTarget,
  refuseDeniedPath,
  pathBelow,
  refuseOwnName,
  type ResolvedEntry,
} from './resolve-path.ts'
import type { TaskContext } from './task-context.ts'

/**
 * A name in an open folder where an entry exists or can be created. The folder is closed at the end of the block in
 * which the slot is declared with `using`.
 */
export type ParentSlot = {
  readonly location: EntryLocation
  readonly folder: ResolvedEntry
  /** Path of the slot inside the root, with all links resolved. */
  readonly path: Path
  /** The requested paths of the parent folders that were created, topmost first. */
  readonly madeFolders: readonly Path[]
  [Symbol.dispose](): void
}

/**
 * Options for missing parent folders. When `dirMode` is null, a missing folder is an error. Otherwise, it is created
 * with that mode. A dry run only checks whether the folders may be created, and the returned slot contains the name of
 * the topmost missing folder.
 */
export type ParentFolderOptions = { readonly dirMode: number | null; readonly isDryRun?: boolean | undefined }

/**
 * Opens the folder that contains the last name of a path. Throws `forbidden` for the path of the root, which has no
 * parent folder.
 */
export async function openParentSlot(
  context: TaskContext,
  path: Path,
  parents: ParentFolderOptions = { dirMode: null },
): Promise<ParentSlot> {
  if (path === root) throw new AppError('forbidden')
  const parent = await openTargetFolder(context, parentOf(path), parents)
  const { folder, missing, path: folderPath, madeFolders } = parent
  const slot: ParentSlot = {
    location: { folder: folder.descriptor, name: missing ?? nameOf(path) },
    folder,
    path: pathBelow(folderPath, nameOf(path)),
    madeFolders,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
  try {
    await refuseDeniedSlot(context, parent, path)
    return slot
  } catch (error) {
    slot[Symbol.dispose]()
    throw error
  }
}

/**
 * Throws `forbidden` when rules deny the resolved path, or when its last name is reserved for the server's own files.
 * No entry needs to exist there.
 */
export async function refuseDeniedSlot(
  context: TaskContext,
  { folder, missing, path: folderPath }: TargetFolder,
  path: Path,
): Promise<void> {
  const resolved = pathBelow(folderPath, nameOf(path))
  if (resolved !== path) await refuseDeniedPath(context, resolved)
  refuseOwnName(context, folder.stat, missing ?? nameOf(path))
}

/**
 * Opens the slot of the file that a write to a path changes. For a link, this is the slot of the link's target. Throws
 * `forbidden` when rules deny the target, or when the target is outside the root and such links are not followed.
 */
export async function openContentSlot(
  context: TaskContext,
  path: Path,
  parents: ParentFolderOptions,
): Promise<ParentSlot> {
  const slot = await openParentSlot(context, path, parents)
  const stat = context.calls.statIfExists(slot.location)
  if (stat === null || kindOf(stat) !== 'link') return slot
  slot[Symbol.dispose]()
  if ((await statLinkTarget(context, path)) === null)
    return openParentSlot(context, await requireAllowed(context, danglingTargetPath(context, path)))
  using target = await resolvePath(context, path)
  return target.path === path ? openSlotOutside(context, target) : openParentSlot(context, target.path)
}

/** Opens the slot of a link's target outside the root. Such links are followed only with `--followExternalSymlinks`. */
function openSlotOutside({ calls }: TaskContext, { descriptor, path }: ResolvedEntry): ParentSlot {
  const real = realPathOf(descriptor)
  const handle = disposable(openAnywhere(diskParentOf(real)))
  const folder: ResolvedEntry = { ...handle, stat: calls.stat(handle.descriptor), path: parentOf(path) }
  const close = (): void => handle[Symbol.dispose]()
  const location = { folder: handle.descriptor, name: diskNameOf(real) }
  return { location, folder, path, madeFolders: [], [Symbol.dispose]: close }
}

async function requireAllowed(context: TaskContext, path: Path): Promise<Path> {
  await refuseDeniedPath(context, path)
  return path
}

/**
 * Resolves an entry that will be changed. Throws when the entry is a link that leaves the root or leads to a denied
 * entry.
 */
export async function resolveActable(context: TaskContext, path: Path): Promise<ResolvedEntry> {
  const found = await resolveEntry(context, path)
  try {
    if (kindOf(found.stat) === 'link') await statLinkTarget(context, path)
    return found
  } catch (error) {
    found[Symbol.dispose]()
    throw error
  }
}

/**
 * The folder that will contain a new entry. In a dry run, parent folders may be missing. In that case, `missing` is the
 * first missing name, `folder` is the existing folder that would contain it, and `path` is the future path of the new
 * entry's folder.
 */
export type TargetFolder = Pick<ParentSlot, 'folder' | 'madeFolders'> & {
  readonly missing: string | null
  readonly path: Path
}

const existingTarget = (folder: ResolvedEntry, madeFolders: readonly Path[] = []): TargetFolder => ({
  folder,
  missing: null,
  path: folder.path,
  madeFolders,
})

/** Opens the folder that will contain a new entry. The caller must close the folder. */
export async function openTargetFolder(
  context: TaskContext,
  path: Path,
  { dirMode, isDryRun }: ParentFolderOptions,
): Promise<TargetFolder> {
  try {
    return existingTarget(await resolveFolder(context, path))
  } catch (error) {
    if (dirMode === null || path === root || !isAbsent(error)) throw error
  }
  if (isDryRun === true) return checkMissingFolders(context, path)
  const madeFolders = await makeMissingFolders(context, path, dirMode)
  return existingTarget(await resolveFolder(context, path), madeFolders)
}

/** Returns true when an error means that no entry exists at a path. */
export const isAbsent = (error: unknown): boolean =>
  errnoOf(error) === 'ENOENT' || (error instanceof AppError && error.code === 'not-found')

/**
 * Creates the missing folders one after the other, each through the handle of its parent folder. Returns the requested
 * paths of the created folders.
 */
async function makeMissingFolders(
  context: TaskContext,
  path: Path,
  dirMode: number,
): Promise<readonly Path[]> {
  const { above, names } = await nearestFolder(context, path)
  const allNames = namesOf(path)
  const depth = allNames.length - names.length
  const madeFolders: Path[] = []
  using start = above
  let current = disposable(openAt({ folder: start.descriptor, name: '.' }, openFlags.folderHandle))
  let folderPath = start.path
  for (const [index, name] of names.entries()) {
    using parent = current
    const location = { folder: parent.descriptor, name }
    folderPath = pathBelow(folderPath, name)
    await refuseDeniedPath(context, folderPath)
    refuseOwnName(context, context.calls.stat(parent.descriptor), name)
    if (makeFolderUnlessExists(location, dirMode))
      madeFolders.push(pathOfNames(allNames.slice(0, depth + index + 1)))
    current = disposable(openAt(location, openFlags.folderHandle))
  }
  current[Symbol.dispose]()
  return madeFolders
}

/** Checks whether the rules allow the missing folders. The folders are not created. */
async function checkMissingFolders(context: TaskContext, path: Path): Promise<TargetFolder> {
  const { above, names } = await nearestFolder(context, path)
  try {
    let folderPath = above.path
    for (const name of names) {
      folderPath = pathBelow(folderPath, name)
      await refuseDeniedPath(context, folderPath)
    }
    const [missing = ''] = names
    // The name belongs to an entry, for example a broken link, so no folder can be created there.
    if (context.calls.statIfExists({ folder: above.descriptor, name: missing }) !== null)
      throw new AppError('not-a-folder')
    return { folder: above, missing, path: folderPath, madeFolders: [] }
  } catch (error) {
    above[Symbol.dispose]()
    throw error
  }
}

/** Returns the nearest existing folder above a path and the names that are missing below it. */
async function nearestFolder(
  context: TaskContext,
  path: Path,
): Promise<{ readonly above: ResolvedEntry; readonly names: readonly string[] }> {
  const names = namesOf(path)
  let depth = names.length - 1
  let above = await resolveIfExists(context, names, depth)
  while (above === null) {
    depth -= 1
    above = await resolveIfExists(context, names, depth)
  }
  return { above, names: names.slice(depth) }
}

async function resolveIfExists(
  context: TaskContext,
  names: readonly string[],
  depth: number,
): Promise<ResolvedEntry | null> {
  try {
    return await resolveFolder(context, pathOfNames(names.slice(0, depth)))
  } catch (error) {
    if (isAbsent(error) && depth > 0) return null
    throw error
  }
}

/**
 * Creates a folder and returns true. Returns false when another program or request has created the folder in the
 * meantime.
 */
function makeFolderUnlessExists(location: EntryLocation, dirMode: number): boolean {
  try {
    makeFolderAt(location, dirMode)
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return false
  }
}
