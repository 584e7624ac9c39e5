import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { UploadRecord, UploadStore } from '../records/uploads.ts'
import type { ChangedEntry } from '../storage/change.ts'
import type { Storage, Volume } from '../storage/port.ts'
import type { PartsInFlight } from './parts-in-flight.ts'

/** The dependencies of the operations on uploads in parts. */
export type UploadDependencies = Pick<Volume, 'discard'> & {
  readonly uploads: UploadStore
  readonly partsInFlight: PartsInFlight
  readonly nowMs: () => number
}

/**
 * Returns the caller's upload to a path. Throws `not-found` when the caller has no upload to this path, even if another
 * user has an upload to it.
 */
export async function findUpload(
  { uploads }: UploadDependencies,
  { user }: Actor,
  path: Path,
): Promise<UploadRecord> {
  const upload = await uploads.find({ userId: user.id, path })
  if (upload === null) throw new AppError('not-found')
  return upload
}

/**
 * The progress of an upload. `receivedBytes` is the number of stored bytes, and `isDone` is true when the finished file
 * is at its path.
 */
export type UploadProgress = { readonly receivedBytes: number; readonly isDone: boolean }

/**
 * Returns the progress of an upload that has no part in flight. When the staged bytes are missing, for example because
 * their folder was deleted, and the finished file is not at its path, the function removes the upload and throws
 * `not-found`.
 */
export async function progressOf(
  dependencies: UploadDependencies,
  actor: Actor,
  upload: UploadRecord,
): Promise<UploadProgress> {
  try {
    return { receivedBytes: await actor.storage.received(upload), isDone: false }
  } catch (error) {
    if (codeOf(error) !== 'not-found') throw error
    if (await isUploadDone(dependencies, actor, upload))
      return { receivedBytes: upload.sizeBytes, isDone: true }
    await dependencies.discard([upload.token])
    await dependencies.uploads.remove([upload.token])
    throw error
  }
}

/**
 * Removes the staged bytes of an upload. The path may now resolve to a different folder than at the start of the
 * upload, for example because the user's scope has changed. The volume is therefore also searched for the upload's
 * token.
 */
export async function discardUpload(
  dependencies: Pick<UploadDependencies, 'discard'>,
  storage: Pick<Storage, 'apply'>,
  upload: UploadRecord,
): Promise<void> {
  await storage.apply({ kind: 'abort', upload })
  await dependencies.discard([upload.token])
}

/**
 * Returns true when an upload's finished file is at its path. The upload's row is read again, because the last part may
 * have changed the row since the caller read it. The row is outdated if the server stopped after it had moved the file
 * to its path and before it updated the row. The upload is then considered done when the file has the size and the
 * modification time that the row contains.
 */
export async function isUploadDone(
  dependencies: UploadDependencies,
  actor: Actor,
  { path, token }: UploadRecord,
): Promise<boolean> {
  const current = await findUpload(dependencies, actor, path)
  if (current.token !== token) return false
  const { sizeBytes, touchedAtMs, modifiedMs } = current
  const placed = { sizeBytes, modifiedMs: modifiedMs ?? touchedAtMs }
  return current.isDone || actor.storage.isPlaced(current, placed)
}

type UploadCompletion = {
  readonly upload: UploadRecord
  /**
   * The time of the last update of the upload's row, in ms since 1970. The file gets this modification time unless the
   * client wants to keep another.
   */
  readonly touchedAtMs: number
  readonly signal: AbortSignal
}

/**
 * Moves the bytes of a complete upload to its path and marks its row as done. The row is kept for a client that missed
 * the response.
 */
export async function finishUpload(
  dependencies: UploadDependencies,
  { storage }: Actor,
  { upload, touchedAtMs, signal }: UploadCompletion,
): Promise<ChangedEntry> {
  const modifiedMs = upload.modifiedMs ?? touchedAtMs
  const entry = await storage.apply({
    kind: 'commit',
    upload,
    overwrite: upload.overwrite,
    modifiedMs,
    signal,
  })
  await dependencies.uploads.touch(upload.token, { atMs: dependencies.nowMs(), isDone: true })
  return entry
}
