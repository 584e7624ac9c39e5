import { basename } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import { encodePath, parsePath, type Path } from '../../../shared/domain/path.ts'
import { runLimited } from '../../concurrency/keyed-limiter.ts'
import type { ChangedEntry, OperationOptions, Storage, UploadPart, UploadSession } from '../port.ts'
import { leaseDescriptors, type ResourceLease } from './content/lease.ts'
import { withFailures } from './calls/system-failures.ts'
import { runTask, type StorageContext } from './storage-context.ts'
import { isStagedName } from './resolution/reserved-names.ts'
import { refuseWriting } from './rules.ts'
import type { StagedUpload, UploadInput } from './tasks/resume-upload.ts'
import type { StageInput } from './tasks/stage.ts'
import { putInPlace, discardLate } from './write-file.ts'
import { appendPart } from './content/receive-body.ts'
import { flushFile } from './content/flushing.ts'

/**
 * Creates the storage functions for uploads in parts. The staged file is the only state of an upload, and its length is
 * the number of received bytes.
 */
export const uploadCallsOf = (
  context: StorageContext,
): Pick<Storage, 'begin' | 'received' | 'put' | 'commit' | 'isPlaced' | 'abort'> => ({
  begin: async (path, options) => {
    refuseWriting(context.rules)
    return begin(context, path, options)
  },
  received: async (session, options) =>
    runTask(context, { task: 'stagedFileSize', input: uploadInputOf(session), options }),
  put: async (session, part, options) => {
    refuseWriting(context.rules)
    return put(context, { session, part }, options)
  },
  commit: async (session, options) => {
    refuseWriting(context.rules)
    return commit(context, session, options)
  },
  isPlaced: async ({ path }, { sizeBytes, modifiedMs, signal }) =>
    runTask(context, {
      task: 'isPlaced',
      input: { path, sizeBytes, modifiedMs },
      options: { signal },
    }),
  abort: async (session, options) => {
    refuseWriting(context.rules)
    await runTask(context, { task: 'abandon', input: uploadInputOf(session), options })
  },
})

/**
 * Returns the path on disk of the staged file that a token names, or null when the token was not created by this
 * adapter.
 */
export function stagedPathOf(token: string): string | null {
  const path = parsePath(token)?.path ?? null
  return path !== null && isStagedName(basename(path)) ? path : null
}

function uploadInputOf({ path, token }: UploadSession): UploadInput {
  const stagedPath = stagedPathOf(token)
  if (stagedPath === null) throw new AppError('not-found')
  return { path, stagedName: basename(stagedPath) }
}

type BeginUploadOptions = Parameters<Storage['begin']>[1]

async function begin(
  context: StorageContext,
  path: Path,
  options: BeginUploadOptions,
): Promise<UploadSession> {
  const { overwrite, sizeBytes, parents } = options
  const stage: StageInput = {
    path,
    overwrite,
    sizeBytes,
    dirMode: parents === true ? context.volume.dirMode : null,
  }
  const staged = await runTask(context, {
    task: 'stage',
    input: stage,
    options,
    onLate: discardLate(context),
  })
  await leaseDescriptors(context.volume.calls, [staged.file, staged.folder]).release()
  return { path, token: encodePath(staged.realPath as Path) }
}

type PartWriteRequest = { readonly session: UploadSession; readonly part: UploadPart }

async function put(
  context: StorageContext,
  { session, part }: PartWriteRequest,
  options: OperationOptions = {},
): Promise<number> {
  const { calls } = context.volume
  return withStaged(context, session, async ({ file, sizeBytes }, lease) => {
    if (sizeBytes !== part.offsetBytes) throw new AppError('wrong-offset')
    return appendPart({ to: { descriptor: file, calls, lease }, part, signal: options.signal })
  })
}

async function commit(
  context: StorageContext,
  session: UploadSession,
  { overwrite, modifiedMs, beforeCommit }: Parameters<Storage['commit']>[1],
): Promise<ChangedEntry> {
  const { calls, fileMode, flushes } = context.volume
  return withStaged(context, session, async (staged, lease) => {
    await flushFile({ descriptor: staged.file, calls, lease })
    const { sizeBytes } = staged
    const placement = { staged, sizeBytes, overwrite, fileMode, modifiedMs, beforeCommit }
    const entry = await putInPlace(context, placement, lease)
    await flushes(staged.folderKey, { descriptor: staged.folder, calls, lease })
    if (!staged.isBehindLink) return entry
    const linked = await runTask(context, { task: 'stat', input: { path: session.path } })
    return { ...linked, ...(entry.losses && { losses: entry.losses }) }
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
