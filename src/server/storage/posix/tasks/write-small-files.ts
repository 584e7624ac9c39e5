import { writeSync } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import type { SerializedError } from '../../../workers/messages.ts'
import { deserializeError, serializeError } from '../../../workers/serialized-error.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, setMode, setModifiedTime } from '../calls/descriptors.ts'
import { entryOf } from '../calls/file-stat.ts'
import { asFailure } from '../calls/system-failures.ts'
import { pathBelow } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { createFlusher, type FileFlusher } from '../staging/flusher.ts'
import { refuseWithoutSpace } from '../staging/staged-files.ts'
import {
  openTargetFolder,
  refuseDeniedSlot,
  type TargetFolder,
  type ParentSlot,
} from '../resolution/parent-slot.ts'
import { refuseByExisting, folderKeyOf } from './stage.ts'
import { openNamelessFile, openStagedFile, type UnplacedFile } from './unplaced-file.ts'
import { requireMounted } from '../resolution/volume-root.ts'

/** Input of the task that creates small files in one folder. No entry with any of their names may exist. */
export type SmallFilesInput = {
  /** Path of the first file. All files are created in the parent folder of this path. */
  readonly path: Path
  readonly dirMode: number | null
  readonly fileMode: number
  readonly files: readonly SmallFile[]
  /** The bytes of all files, concatenated in the order of the files. */
  readonly bytes: Uint8Array
  /** One number for each file. A nonzero number means that the caller no longer waits for the file. */
  readonly aborted: Int32Array
}

export type SmallFile = {
  readonly name: string
  readonly sizeBytes: number
  /** Modification time of the file in milliseconds. */
  readonly modifiedMs: number
}

/** The entry of a written file, and the folders that were created for it. */
export type WrittenFile = { readonly entry: Entry } & Pick<ParentSlot, 'madeFolders'>

type FailedWrite = { readonly failure: SerializedError }

/** Result for one file of the call: the written file or its failure. */
export type WriteOutcome = WrittenFile | FailedWrite

/** A file that the call has not written yet, with its target folder. */
type PendingFile = {
  readonly context: TaskContext
  readonly parent: TargetFolder
  readonly flusher: FileFlusher
  readonly path: Path
  readonly bytes: Uint8Array
  readonly modifiedMs: number
  readonly fileMode: number
  /** Throws when the caller no longer waits for the file. */
  readonly check: () => void
}

type PlacedFile = { readonly file: UnplacedFile; readonly entry: Entry }

/**
 * Creates the task that writes small files. The task first checks and writes all files of a call. Then it puts each
 * file in place in one step, which fails when the name is taken, and flushes the files and their folder. When a file
 * fails or the server is killed before the file is put in place, no trace of the file remains.
 */
export function createSmallFileTask(): (
  context: TaskContext,
  input: SmallFilesInput,
) => Promise<readonly WriteOutcome[]> {
  const flushers = new Map<bigint, FileFlusher>()
  const flusherOf = ({ calls }: TaskContext, { stat, descriptor }: TargetFolder['folder']): FileFlusher => {
    const flusher = flushers.get(stat.dev) ?? createFlusher({ calls, folder: descriptor, dev: stat.dev })
    flushers.set(stat.dev, flusher)
    return flusher
  }
  return async (context, input) => {
    const parent = await openTargetFolder(context, parentOf(input.path), { dirMode: input.dirMode })
    using folder = parent.folder
    refuseWithoutSpace(folder.descriptor, input.bytes.length)
    const flusher = flusherOf(context, folder)
    const pending = pendingFilesOf(input, { context, parent, flusher })
    const written = await Promise.all(pending.map(async (one) => outcomeOf(write(one))))
    // Files are put in place only after the bytes of all files have been written, so that one flush covers all files.
    const files = await flushedFiles(written, flusher.beforeNames)
    const placedFiles = await Promise.all(
      files.map(async (file, index) =>
        'failure' in file ? file : outcomeOf(putInPlace(file, pending[index] as PendingFile)),
      ),
    )
    try {
      const flushed = await flushedEntries(placedFiles, flusher)
      const folderFlushed = isFolderFlushDue(placedFiles, flusher)
        ? await outcomeOf(flusher.folder(folderKeyOf(folder.stat), folder.descriptor))
        : undefined
      return outcomesOf(flushed, { folderFlushed, madeFolders: parent.madeFolders })
    } finally {
      for (const one of placedFiles) if ('file' in one) one.file.close()
    }
  }
}

/**
 * Flushes the written files. When a flush fails, the file is closed and the result contains the failure instead of the
 * file.
 */
async function flushedFiles(
  written: readonly (UnplacedFile | FailedWrite)[],
  flush: FileFlusher['beforeNames'],
): Promise<readonly (UnplacedFile | FailedWrite)[]> {
  const files = written.flatMap((one) => ('failure' in one ? [] : [one]))
  const failed = failuresOf(files, await flush(files.map(({ descriptor }) => descriptor)))
  for (const file of failed.keys()) file.close()
  return written.map((one) => failed.get(one as UnplacedFile) ?? one)
}

/** Flushes the placed files that were created without a name. Returns the entry of each file, or its failure. */
async function flushedEntries(
  placedFiles: readonly (PlacedFile | FailedWrite)[],
  { afterNames }: FileFlusher,
): Promise<readonly (Entry | FailedWrite)[]> {
  const files = placedFiles.flatMap((one) => ('file' in one && one.file.isNameless ? [one.file] : []))
  const failed = failuresOf(files, await afterNames(files.map(({ descriptor }) => descriptor)))
  return placedFiles.map((one) => ('file' in one ? (failed.get(one.file) ?? one.entry) : one))
}

/** Returns true when the folder must be flushed because the name of a placed file is not on the disk yet. */
const isFolderFlushDue = (
  placedFiles: readonly (PlacedFile | FailedWrite)[],
  { flushesNames }: FileFlusher,
): boolean => placedFiles.some((one) => 'file' in one && !(flushesNames && one.file.isNameless))

function failuresOf(
  files: readonly UnplacedFile[],
  outcomes: readonly PromiseSettledResult<void>[],
): ReadonlyMap<UnplacedFile, FailedWrite> {
  const failed = new Map<UnplacedFile, FailedWrite>()
  for (const [index, file] of files.entries()) {
    const outcome = outcomes[index]
    if (outcome?.status === 'rejected') failed.set(file, failureOf(outcome.reason))
  }
  return failed
}

function pendingFilesOf(
  input: SmallFilesInput,
  shared: Pick<PendingFile, 'context' | 'parent' | 'flusher'>,
): readonly PendingFile[] {
  const { fileMode, aborted } = input
  const { context } = shared
  let start = 0
  return input.files.map(({ name, sizeBytes, modifiedMs }, index) => {
    const bytes = input.bytes.subarray(start, start + sizeBytes)
    start += sizeBytes
    const check = (): void => {
      context.link.throwIfAborted()
      if (Atomics.load(aborted, index) !== 0) throw new AppError('aborted')
    }
    return { ...shared, path: pathBelow(parentOf(input.path), name), bytes, modifiedMs, fileMode, check }
  })
}

async function outcomeOf<T>(work: Promise<T>): Promise<T | FailedWrite> {
  try {
    return await work
  } catch (error) {
    return failureOf(error)
  }
}

const failureOf = (error: unknown): FailedWrite => ({ failure: serializeError(asFailure(error)) })

const isWrittenEntry = (outcome: Entry | FailedWrite): outcome is Entry => !('failure' in outcome)

type BatchFlushResult = Pick<WrittenFile, 'madeFolders'> & { readonly folderFlushed: FailedWrite | void }

/**
 * Combines the outcomes. A placed file counts as written only when its folder was flushed. Created folders are reported
 * only with the first written file.
 */
function outcomesOf(
  placedFiles: readonly (Entry | FailedWrite)[],
  { folderFlushed, madeFolders }: BatchFlushResult,
): readonly WriteOutcome[] {
  const first = placedFiles.findIndex(isWrittenEntry)
  return placedFiles.map((one, index) => {
    if (!isWrittenEntry(one)) return one
    return folderFlushed ?? { entry: one, madeFolders: index === first ? madeFolders : [] }
  })
}

async function write(pending: PendingFile): Promise<UnplacedFile> {
  const { context, parent, path, check } = pending
  check()
  await refuseDeniedSlot(context, parent, path)
  await refuseByExisting(context, locationOf(pending), { path, overwrite: 'create' })
  return writeNameless(pending) ?? (await writeStaged(pending))
}

/** Writes a file that has no name yet. Returns null when the file system does not support such files. */
function writeNameless(pending: PendingFile): UnplacedFile | null {
  try {
    const file = openNamelessFile(pending.context, locationOf(pending))
    return file === null ? null : fill(file, pending)
  } catch (error) {
    if (isUnsupported(error)) return null
    throw error
  }
}

const writeStaged = async (pending: PendingFile): Promise<UnplacedFile> =>
  fill(await openStagedFile(pending.context, locationOf(pending)), pending)

function fill(file: UnplacedFile, { bytes, modifiedMs, fileMode }: PendingFile): UnplacedFile {
  const { descriptor } = file
  try {
    writeAll(descriptor, bytes)
    setModifiedTime(descriptor, modifiedMs)
    setMode(descriptor, fileMode)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/**
 * Puts a file in place. Some file systems support files without a name but cannot name them later. On these file
 * systems, the file is written again as a staged file.
 */
async function putInPlace(file: UnplacedFile, pending: PendingFile): Promise<PlacedFile> {
  try {
    return place(file, pending)
  } catch (error) {
    if (!file.isNameless || !isUnsupported(error)) throw error
    const [staged = failureOf(error)] = await flushedFiles(
      [await writeStaged(pending)],
      pending.flusher.beforeNames,
    )
    if ('failure' in staged) throw deserializeError(staged.failure)
    return place(staged, pending)
  }
}

function place(file: UnplacedFile, { context, parent, path, check }: PendingFile): PlacedFile {
  try {
    check()
    requireMounted(context, parent.folder.descriptor)
    file.place()
    return { file, entry: entryOf(nameOf(path), context.calls.stat(file.descriptor)) }
  } catch (error) {
    file.close()
    throw error
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset)
  }
}

const isUnsupported = (error: unknown): boolean =>
  ['EINVAL', 'EISDIR', 'ENOENT', 'ENOSYS', 'EOPNOTSUPP', 'EPERM', 'EXDEV'].includes(errnoOf(error))

const locationOf = ({ parent, path }: PendingFile): EntryLocation => ({
  folder: parent.folder.descriptor,
  name: nameOf(path),
})
