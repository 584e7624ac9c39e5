import { diskNameOf, diskPathOf, encodeDiskPath, type DiskPath } from '../disk-path.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { nameOf, parsePath } from '../../../shared/domain/path.ts'
import { runLimited } from '../../concurrency/keyed-limiter.ts'
import type { Change, ChangedEntry, ChangeHandlers, ChangeResult, UploadSession } from '../change.ts'
import type { Storage } from '../port.ts'
import { leaseDescriptors } from './content/lease-descriptors.ts'
import type { ResourceLease } from './content/lease.ts'
import { withFailures } from './calls/system-failures.ts'
import { runTask, type StorageContext } from './storage-context.ts'
import { isStagedName } from './resolution/reserved-names.ts'
import type { StagedUpload, UploadInput } from './tasks/resume-upload.ts'
import type { StageInput } from './tasks/stage.ts'
import { discardLate, linkedEntry, putInPlace } from './write-file.ts'
import { appendPart } from './content/receive-body.ts'
import { flushFile } from './content/flushing.ts'

/**
 * Returns the functions that make the changes of uploads in parts. The staged file is the only state of an upload, and
 * its length is the number of received bytes.
 */
export const uploadHandlersOf = (
  context: StorageContext,
): Pick<ChangeHandlers, 'begin' | 'put' | 'commit' | 'abort'> => ({
  begin: async (change) => begin(context, change),
  put: async (change) => put(context, change),
  commit: async (change) => commit(context, change),
  abort: async ({ upload, signal }) => {
    await runTask(context, { task: 'abandon', input: uploadInputOf(upload), options: { signal } })
  },
})

/** Returns the functions that read the state of uploads in parts. */
export const uploadReadsOf = (context: StorageContext): Pick<Storage, 'received' | 'isPlaced'> => ({
  received: async (session, options) =>
    runTask(context, { task: 'stagedFileSize', input: uploadInputOf(session), options }),
  isPlaced: async ({ path }, { sizeBytes, modifiedMs, signal }) =>
    runTask(context, {
      task: 'isPlaced',
      input: { path, sizeBytes, modifiedMs },
      options: { signal },
    }),
})

/**
 * Returns the path on disk of the staged file that a token names, or null when the token was not created by this
 * adapter.
 */
export function stagedPathOf(token: string): DiskPath | null {
  const path = parsePath(token)?.path ?? null
  return path !== null && isStagedName(nameOf(path)) ? diskPathOf(path) : null
}

function uploadInputOf({ path, token }: UploadSession): UploadInput {
  const stagedPath = stagedPathOf(token)
  if (stagedPath === null) throw new AppError('not-found')
  return { path, stagedName: diskNameOf(stagedPath) }
}

async function begin(
  context: StorageContext,
  { path, overwrite, sizeBytes, parents, signal }: Change<'begin'>,
): Promise<ChangeResult<'begin'>> {
  const stage: StageInput = {
    path,
    overwrite,
    sizeBytes,
    dirMode: parents === true ? context.volume.dirMode : null,
  }
  const staged = await runTask(context, {
    task: 'stage',
    input: stage,
    options: { signal },
    onLate: discardLate(context),
  })
  await leaseDescriptors(context.volume.calls, [staged.file, staged.folder]).release()
  const upload = { path, token: encodeDiskPath(staged.realPath) }
  return staged.madeFolders.length === 0 ? upload : { ...upload, madeFolders: staged.madeFolders }
}

async function put(context: StorageContext, { upload, part, signal }: Change<'put'>): Promise<number> {
  const { calls } = context.volume
  return withStaged(context, upload, async ({ file, sizeBytes }, lease) => {
    if (sizeBytes !== part.offsetBytes) throw new AppError('wrong-offset')
    return appendPart({ to: { descriptor: file, calls, lease }, part, signal })
  })
}

async function commit(
  context: StorageContext,
  { upload, overwrite, modifiedMs, beforeCommit }: Change<'commit'>,
): Promise<ChangedEntry> {
  const { calls, fileMode, flushes } = context.volume
  return withStaged(context, upload, async (staged, lease) => {
    await flushFile({ descriptor: staged.file, calls, lease })
    const { sizeBytes } = staged
    const placement = { staged, sizeBytes, overwrite, fileMode, modifiedMs, beforeCommit }
    const entry = await putInPlace(context, placement, lease)
    await flushes(staged.folderKey, { descriptor: staged.folder, calls, lease })
    return staged.isBehindLink ? linkedEntry(context, upload.path, entry) : entry
  })
}

/** Runs `work` on a staged file. Calls for the same upload run one after the other. */
async function withStaged<T>(
  context: StorageContext,
  session: UploadSession,
  work: (staged: StagedUpload, lease: ResourceLease) => Promise<T>,
): Promise<T> {
  return runLimited({ limiter: context.volume.fileLocks, key: session.token }, async () => {
    const leaseStaged = ({ file, folder }: StagedUpload): ResourceLease =>
      leaseDescriptors(context.volume.calls, [file, folder])
    const staged = await runTask(context, {
      task: 'resume',
      input: uploadInputOf(session),
      onLate: (late) =>
        void leaseStaged(late)
          .release()
          .catch(() => {}),
    })
    const lease = leaseStaged(staged)
    try {
      return await withFailures(async () => work(staged, lease))
    } finally {
      await lease.release()
    }
  })
}
