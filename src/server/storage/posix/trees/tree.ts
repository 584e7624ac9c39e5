import { chmodSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import {
  errnoOf,
  disposable,
  openAt,
  openFlags,
  pathOfDescriptor,
  realPathOf,
  removeFolderAt,
  reopen,
  unlinkAt,
} from '../calls/descriptors.ts'
import { direntType, nameAt } from '../calls/packed-names.ts'
import { kindOfMode } from '../calls/file-stat.ts'
import { isStagedName } from '../resolution/reserved-names.ts'
import {
  isOwnFile,
  checkPathsAgainstRules,
  pathBelow,
  refuseStartFolder,
} from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/** An entry of a folder. `isFolder` is false for a link to a folder. */
export type FolderChild = { readonly name: string; readonly isFolder: boolean }

/**
 * Returns the entries of a folder that is open as an O_PATH handle, in the order in which the file system returns them.
 */
export function childrenOf({ calls }: TaskContext, folder: number): FolderChild[] {
  using readable = disposable(reopen(folder, openFlags.folder))
  const names = calls.readNames(readable.descriptor)
  return Array.from({ length: names.count }, (_, index) => {
    const name = nameAt(names, index)
    const kind = names.kinds[index]
    const isFolder =
      kind === direntType.unknown ? isFolderAt({ calls }, { folder, name }) : kind === direntType.folder
    return { name, isFolder }
  })
}

function isFolderAt({ calls }: Pick<TaskContext, 'calls'>, location: EntryLocation): boolean {
  try {
    return kindOfMode(calls.statAt(location).mode) === 'folder'
  } catch {
    return false
  }
}

/** Opens a subfolder of an open folder as an O_PATH handle. A link with that name is refused. */
export const openChild = (folder: number, name: string): number =>
  openAt({ folder, name }, openFlags.folderHandle)

type TreePermissionCheck = {
  readonly folder: number
  /**
   * Paths of the folder that are checked against the rules: the requested path, the resolved path and the path after
   * the change.
   */
  readonly paths: readonly Path[]
  /** True for a tree that is moved or removed. A folder in it in which the next start searches for its files then causes `forbidden`. */
  readonly isLeaving?: boolean
}

/**
 * Throws `forbidden` when rules deny any current or future path in a tree that will be changed, or when the tree
 * contains one of the server's own files. The check precedes the change, so that the change does not stop halfway.
 * Entries that are only hidden do not prevent the change.
 */
export async function checkTreePermissions(
  context: TaskContext,
  { folder, paths, isLeaving = false }: TreePermissionCheck,
): Promise<void> {
  if (!context.rootContext.hasRules && !mayContainOwnFiles(context, folder)) return
  await checkFolderPermissions(context, { folder, paths: [...new Set(paths)], isLeaving })
}

async function checkFolderPermissions(
  context: TaskContext,
  { folder, paths, isLeaving }: Required<TreePermissionCheck>,
): Promise<void> {
  context.link.throwIfAborted()
  const children = childrenOf(context, folder).filter(({ name }) => !isStagedName(name))
  const below = (name: string): Path[] => paths.map((path) => pathBelow(path, name))
  const verdicts = await checkPathsAgainstRules(
    context,
    children.flatMap(({ name }) => below(name)),
    'permits',
  )
  if (verdicts.includes(0)) throw new AppError('forbidden')
  if (isLeaving) refuseStartFolder(context, context.calls.stat(folder))
  for (const { name, isFolder } of children) {
    refuseOwnFileAt(context, { folder, name })
    if (!isFolder) continue
    using child = disposable(openChild(folder, name))
    await checkFolderPermissions(context, { folder: child.descriptor, paths: below(name), isLeaving })
  }
}

/** Returns true when a folder's tree may contain some of the server's own files. */
function mayContainOwnFiles({ rootContext }: TaskContext, folder: number): boolean {
  const { files, folders, startFolders = [] } = rootContext.reservedFiles
  if (files.length === 0 && startFolders.length === 0) return false
  if (folders === undefined) return true
  const path = realPathOf(folder)
  return folders.some((own) => own === path || own.startsWith(path === '/' ? path : `${path}/`))
}

function refuseOwnFileAt(context: TaskContext, location: EntryLocation): void {
  if (context.rootContext.reservedFiles.files.length === 0) return
  try {
    if (isOwnFile(context, context.calls.statAt(location))) throw new AppError('forbidden')
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/**
 * Options for removing a tree. `isOurs` is true for a tree that the server created. The folders of such a tree are made
 * writable first, because their copied permission bits may forbid removing entries.
 */
type RemovalOptions = { readonly isOurs: boolean }

/** Empties an open folder. Links are unlinked and never followed. */
function clearFolder(context: TaskContext, folder: number, removing: RemovalOptions): void {
  if (removing.isOurs) chmodSync(pathOfDescriptor(folder), 0o700)
  for (const { name, isFolder } of childrenOf(context, folder)) {
    const location = { folder, name }
    context.link.reportProgress()
    if (isFolder) removeTree(context, location, removing)
    else unlinkIfExists(location)
  }
}

/**
 * Removes a folder with everything below it. When entries are created in the folder in the meantime, the removal is
 * repeated up to three times.
 */
export function removeTree(
  context: TaskContext,
  location: EntryLocation,
  removing: RemovalOptions = { isOurs: false },
): void {
  for (let tries = 3; ; tries -= 1) {
    using folder = disposable(openChild(location.folder, location.name))
    clearFolder(context, folder.descriptor, removing)
    try {
      removeFolderAt(location)
      return
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' || tries === 0) throw error
    }
  }
}

function unlinkIfExists(location: EntryLocation): void {
  try {
    unlinkAt(location)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
