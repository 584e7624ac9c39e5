import type { DiskPath } from '../../disk-path.ts'
import { closeSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ChangedEntry, OverwriteMode } from '../../change.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { entryOf, etagOf, kindOf, type FileStat, type InodeId } from '../calls/file-stat.ts'
import {
  copyOwner,
  disposable,
  errnoOf,
  openAt,
  openFlags,
  reopen,
  requireWritable,
  setMode,
  setModifiedTime,
  unlinkAt,
} from '../calls/descriptors.ts'
import {
  renameIfFree,
  refuseWithoutSpace,
  recordStaged,
  replaceExactly,
  replaceWithStaged,
} from '../staging/staged-files.ts'
import { withLosses, withReplaced } from '../staging/with-losses.ts'
import { isOwnFile } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import {
  resolveActable,
  isAbsent,
  openParentSlot,
  openContentSlot,
  type ParentFolderOptions,
  type ParentSlot,
} from '../resolution/parent-slot.ts'
import { requireMounted } from '../resolution/volume-root.ts'

/** The condition for putting new bytes in place. It applies to the existing entry, or to the absence of an entry. */
export type WriteCondition = { readonly overwrite: OverwriteMode; readonly ifMatch?: string | undefined }

/** Input of `stage`. When `dirMode` is null, the task fails if a parent folder is missing. */
export type StageInput = WriteCondition & {
  readonly path: Path
  readonly dirMode: number | null
  /** The size that the client announced, in bytes. */
  readonly sizeBytes?: number | undefined
}

/** A file that is being written next to its destination. The caller must close both descriptors. */
export type StagedFile = {
  readonly file: number
  readonly folder: number
  readonly stagedName: string
  readonly name: string
  /** Absolute path of the staged file on disk. */
  readonly realPath: DiskPath
  /** True when the requested path contains links, so that the file's real path differs from it. */
  readonly isBehindLink: boolean
  /** Key of the folder, made of its device and inode number. It is the same for every path to the folder. */
  readonly folderKey: string
} & Pick<ParentSlot, 'madeFolders'>

/**
 * Throws every error that can be detected before the bytes arrive. Neither the staged file nor missing folders are
 * created.
 */
export async function checkStage(context: TaskContext, input: StageInput): Promise<void> {
  const slot = await openCheckedSlot(context, input, true)
  slot[Symbol.dispose]()
}

/**
 * Opens the parent folder of the file that will be written. Throws every error that can be detected before the bytes
 * arrive.
 */
export async function openCheckedSlot(
  context: TaskContext,
  input: StageInput,
  isDryRun: boolean,
): Promise<ParentSlot> {
  const { path, dirMode, overwrite } = input
  const parents: ParentFolderOptions = { dirMode, isDryRun }
  const isNew = overwrite === 'create'
  const slot = await (isNew
    ? openParentSlot(context, path, parents)
    : openContentSlot(context, path, parents))
  try {
    await refuseByExisting(context, slot.location, input)
    refuseWithoutSpace(slot.folder.descriptor, input.sizeBytes ?? 0)
    return slot
  } catch (error) {
    slot[Symbol.dispose]()
    throw error
  }
}

/** Throws when new bytes must not replace the existing entry. */
export async function refuseByExisting(
  context: TaskContext,
  location: EntryLocation,
  condition: WriteCondition & { readonly path: Path },
): Promise<void> {
  const existing = context.calls.statIfExists(location)
  if (condition.overwrite === 'create' && existing !== null) await refuseTaken(context, condition.path)
  checkCondition(context, existing, condition)
  if (existing !== null) requireWritable(location)
}

/**
 * Creates the staged file, after the journal has recorded it. Throws every error that can be detected before the bytes
 * arrive.
 */
export async function stage(context: TaskContext, input: StageInput): Promise<StagedFile> {
  using slot = await openCheckedSlot(context, input, false)
  const stagedName = context.newStagedName()
  const folder = reopen(slot.folder.descriptor, openFlags.followingHandle)
  try {
    const realPath = await recordStaged(context, { folder, name: stagedName })
    const file = openAt({ folder, name: stagedName }, openFlags.createNew, 0o600)
    return { file, folder, stagedName, realPath, ...targetFieldsOf(slot, input.path) }
  } catch (error) {
    closeSync(folder)
    throw error
  }
}

/** Returns the fields of a staged file that describe its destination. */
export const targetFieldsOf = (
  { location, folder, path: resolved, madeFolders }: ParentSlot,
  path: Path,
): Pick<StagedFile, 'name' | 'isBehindLink' | 'folderKey' | 'madeFolders'> => ({
  name: location.name,
  isBehindLink: resolved !== path,
  folderKey: folderKeyOf(folder.stat),
  madeFolders,
})

/** Returns a key of a folder that is the same for every path to the folder. */
export const folderKeyOf = ({ dev, ino }: InodeId): string => `${dev}:${ino}`

/** Input of `commit`: the written file and the condition on an existing file. */
export type CommitInput = WriteCondition & {
  readonly staged: StagedFile
  readonly fileMode: number
  /** Modification time of the file in milliseconds. */
  readonly modifiedMs: number
  /** The size in bytes that the replaced file must have; 0 also when no file is replaced. Undefined for any size. */
  readonly replacedBytes?: number | undefined
}

/** Returns the size in bytes of the file that a staged file will replace, or 0 when no entry has its name. */
export const replacedBytes = (
  { calls }: TaskContext,
  { staged: { folder, name } }: Pick<CommitInput, 'staged'>,
): number => calls.statIfExists({ folder, name })?.sizeBytes ?? 0

/** Puts a written and flushed file in place, in one step. */
export async function commit(
  context: TaskContext,
  { staged, fileMode, modifiedMs, replacedBytes: expectedBytes, ...condition }: CommitInput,
): Promise<ChangedEntry> {
  requireMounted(context, staged.folder)
  const location: EntryLocation = { folder: staged.folder, name: staged.name }
  const from: EntryLocation = { folder: staged.folder, name: staged.stagedName }
  const existing = context.calls.statIfExists(location)
  checkCondition(context, existing, condition)
  if (existing !== null) requireWritable(location)
  const isExact = expectedBytes !== undefined
  if (isExact && (existing?.sizeBytes ?? 0) !== expectedBytes) throw new AppError('changed-meanwhile')
  if (existing === null) setMode(staged.file, fileMode)
  else keepMetadata(context, staged, { location, existing })
  setModifiedTime(staged.file, modifiedMs)
  const place = async (): Promise<FileStat | null> => {
    if (existing === null)
      return placeOrReplace(context, from, { location, overwrite: condition.overwrite, isExact })
    return isExact
      ? replaceExactly(context, from, { location, existing })
      : replaceWithStaged(context, from, location)
  }
  const replaced = await place()
  return withReplaced(withLosses(context, entryOf(staged.name, context.calls.stat(staged.file))), replaced)
}

/**
 * Gives a staged file the owner, the permission bits and the extended attributes of the file that it replaces. The
 * attributes come last, because the permission bits would change an access control list. The other names of the replaced
 * file keep its content, because the new content is in another file.
 */
function keepMetadata(
  { calls, losses }: TaskContext,
  { file, name }: StagedFile,
  { location, existing }: { readonly location: EntryLocation; readonly existing: FileStat },
): void {
  if (!copyOwner(file, existing)) losses.add('owner', name)
  setMode(file, existing.mode & 0o1777)
  using replaced = disposable(openAt(location, openFlags.handle))
  if (!calls.copyAttributes(replaced.descriptor, file)) losses.add('attributes', name)
  if (existing.links > 1) losses.add('other-names', name)
}

type PlacementMode = {
  readonly location: EntryLocation
  readonly overwrite: OverwriteMode
  /** True when the size of the replaced file was checked. */
  readonly isExact: boolean
}

/**
 * Puts a file in place when the previous check found no entry at its path. An entry that was created since then is
 * replaced, unless the file must be new or the size of the replaced file was checked. Returns the replaced file.
 */
async function placeOrReplace(
  context: TaskContext,
  from: EntryLocation,
  { location, overwrite, isExact }: PlacementMode,
): Promise<FileStat | null> {
  try {
    renameIfFree(context.calls, from, location)
    return null
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || overwrite === 'create') throw error
    if (isExact) throw new AppError('changed-meanwhile', { cause: error })
    return replaceWithStaged(context, from, location)
  }
}

/**
 * Throws `name-taken` when an entry exists at a path, even if the entry is a broken link. Throws `forbidden` when the
 * caller may not access the entry.
 */
async function refuseTaken(context: TaskContext, path: Path): Promise<void> {
  try {
    const existing = await resolveActable(context, path)
    existing[Symbol.dispose]()
    throw new AppError('name-taken')
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** Removes a staged file. A file that was already put in place is kept. */
export function discardStaged(_context: TaskContext, { staged }: { readonly staged: StagedFile }): void {
  try {
    unlinkAt({ folder: staged.folder, name: staged.stagedName })
  } catch {
    // Nothing has to be removed: the file was put in place, or its folder no longer exists.
  }
}

function checkCondition(
  context: TaskContext,
  existing: FileStat | null,
  { overwrite, ifMatch }: WriteCondition,
): void {
  if (existing === null) {
    if (overwrite === 'replace') throw new AppError('not-found')
    if (ifMatch !== undefined) throw new AppError('changed-meanwhile')
    return
  }
  if (isOwnFile(context, existing)) throw new AppError('forbidden')
  if (overwrite === 'create') throw new AppError('name-taken')
  if (kindOf(existing) === 'folder') throw new AppError('is-a-folder')
  if (kindOf(existing) !== 'file') throw new AppError('forbidden')
  if (ifMatch !== undefined && ifMatch !== etagOf(existing)) throw new AppError('changed-meanwhile')
}
