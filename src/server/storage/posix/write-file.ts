import { root, type Path } from '../../../shared/domain/path.ts'
import { runLimited } from '../../concurrency/keyed-limiter.ts'
import type { Change, ChangedEntry, ChangeHandlers, CommitOptions } from '../change.ts'
import { smallFileBytes } from '../port.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import { leaseDescriptors } from './content/lease-descriptors.ts'
import type { ResourceLease } from './content/lease.ts'
import { withFailures } from './calls/system-failures.ts'
import { runTask, type StorageContext } from './storage-context.ts'
import { createSmallFileWriter } from './small-file-writes.ts'
import type { CommitInput, StageInput, StagedFile } from './tasks/stage.ts'
import { receiveBody } from './content/receive-body.ts'
import { withMadeFolders } from './staging/with-losses.ts'

/** Creates the function that writes a file. */
export function createWriter(context: StorageContext): ChangeHandlers['write'] {
  const writeSmallFiles = createSmallFileWriter(context)
  return async (change) => {
    const { path, body, overwrite, ifMatch, sizeBytes = Number.POSITIVE_INFINITY } = change
    const isSmall = sizeBytes <= smallFileBytes && path !== root
    const isNew = overwrite === 'create' && ifMatch === undefined && change.isExecutable !== true
    const bytes = isSmall && isNew ? await body.whole?.(sizeBytes) : null
    if (!bytes) return writeStreamed(context, change)
    const { entry, madeFolders } = await writeSmallFiles({
      path,
      bytes,
      hasParents: change.parents === true,
      modifiedMs: change.modifiedMs,
      beforeCommit: change.beforeCommit,
      signal: change.signal,
    })
    return withMadeFolders(entry, madeFolders)
  }
}

/**
 * Writes a body while it arrives. The bytes are written to a staged file next to the destination. After the flush, the
 * staged file is put in place in one step. When the write fails before this step, the staged file is removed.
 */
async function writeStreamed(context: StorageContext, change: Change<'write'>): Promise<ChangedEntry> {
  const { volume } = context
  const { path, body, overwrite, ifMatch, sizeBytes, modifiedMs, beforeCommit, signal } = change
  const dirMode = change.parents === true ? volume.dirMode : null
  const stage: StageInput = { path, overwrite, ifMatch, sizeBytes, dirMode }
  const staged = await runTask(context, {
    task: 'stage',
    input: stage,
    options: { signal },
    onLate: discardLate(context),
  })
  const lease = leaseDescriptors(volume.calls, [staged.file, staged.folder])
  const fileCalls = { calls: volume.calls, lease }
  try {
    return await withFailures(async () => {
      const to = { ...fileCalls, descriptor: staged.file }
      const receivedBytes = await receiveBody({ to, body, sizeBytes, signal })
      const fileMode = change.isExecutable === true ? executableMode(volume.fileMode) : volume.fileMode
      const placed = { sizeBytes: receivedBytes, overwrite, ifMatch, modifiedMs, fileMode }
      const entry = await putInPlace(context, { staged, ...placed, beforeCommit }, lease)
      await volume.flushes(staged.folderKey, { ...fileCalls, descriptor: staged.folder })
      const changed = staged.isBehindLink ? await linkedEntry(context, path, entry) : entry
      return withMadeFolders(changed, staged.madeFolders)
    })
  } catch (error) {
    const cleanup = runTask(context, { task: 'discard', input: { staged }, lease }).catch(() => {})
    // When the disk does not respond, the error is thrown without waiting for the cleanup, which would hang as well.
    if (codeOf(error) !== 'timeout') await cleanup
    throw error
  } finally {
    await lease.release()
  }
}

/** Returns a mode with which everybody who may read a file may also execute it. */
const executableMode = (mode: number): number => mode | ((mode & 0o444) >> 2)

/** Returns the link that leads to a file that was put in place, with what the change of the file has lost and replaced. */
export async function linkedEntry(
  context: StorageContext,
  path: Path,
  { losses, replaced }: ChangedEntry,
): Promise<ChangedEntry> {
  const linked = await runTask(context, { task: 'stat', input: { path } })
  return { ...linked, ...(losses && { losses }), ...(replaced && { replaced }) }
}

/**
 * Creates a function that removes a staged file when the `stage` task created it after the request was aborted or had
 * timed out.
 */
export const discardLate =
  (context: StorageContext) =>
  (staged: StagedFile): void => {
    const lease = leaseDescriptors(context.volume.calls, [staged.file, staged.folder])
    void runTask(context, { task: 'discard', input: { staged }, lease }).catch(() => {})
    void lease.release().catch(() => {})
  }

type PlacementRequest = Omit<CommitInput, 'modifiedMs' | 'replacedBytes'> &
  CommitOptions & { readonly modifiedMs?: number | undefined; readonly sizeBytes: number }

/**
 * Number of times that a file is put in place. Another attempt is made when the file to be replaced was moved, removed
 * or replaced between its check and the rename, which takes less than a millisecond.
 */
const maxAttempts = 10

/** Renames a staged file to its final name. Aborts are ignored, because the step is short and atomic. */
export async function putInPlace(
  context: StorageContext,
  { beforeCommit, ...commit }: PlacementRequest,
  lease: ResourceLease,
): Promise<ChangedEntry> {
  const { fileLocks, nextModifiedMs } = context.volume
  const { folderKey, name } = commit.staged
  return runLimited({ limiter: fileLocks, key: `${folderKey}/${name}` }, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const replacedBytes = await replacedBytesOf(context, { beforeCommit, ...commit }, lease)
      const input = { ...commit, modifiedMs: commit.modifiedMs ?? nextModifiedMs(), replacedBytes }
      try {
        return await runTask(context, { task: 'commit', input, lease })
      } catch (error) {
        const isOther = replacedBytes !== undefined && commit.ifMatch === undefined
        if (!isOther || codeOf(error) !== 'changed-meanwhile' || attempt === maxAttempts) throw error
      }
    }
  })
}

/**
 * Runs the caller's last check. Returns the size of the file that will be replaced, or undefined when the check did not
 * ask for it.
 */
async function replacedBytesOf(
  context: StorageContext,
  { staged, sizeBytes, overwrite, beforeCommit }: PlacementRequest,
  lease: ResourceLease,
): Promise<number | undefined> {
  let known: number | undefined
  await beforeCommit?.({
    sizeBytes,
    async replacedBytes() {
      const isNew = overwrite === 'create'
      return (known ??= isNew
        ? 0
        : await runTask(context, { task: 'replacedBytes', input: { staged }, lease }))
    },
  })
  return known
}
