import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { UploadRecord } from '../records/uploads.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { findUpload, progressOf, type UploadDependencies } from './upload-steps.ts'

/** The number of bytes of an upload that are stored, and the size of the whole file. */
export type UploadPosition = { readonly receivedBytes: number; readonly sizeBytes: number }

/**
 * Returns the position at which an upload is continued (contract 4). A part that is still in flight is stopped, because
 * a client asks for the position only after it has lost the connection of that part.
 */
export async function uploadPosition(
  dependencies: UploadDependencies,
  actor: Actor,
  path: Path,
): Promise<UploadPosition> {
  // This check comes first, so that a denied path is `forbidden` whether or not there is an upload.
  await statOrNull(actor.storage, path)
  const upload = await findUpload(dependencies, actor, path)
  const receivedBytes = upload.isDone
    ? await sizeOfPlacedFile(actor, upload)
    : await receivedBytesAfterStop(dependencies, actor, upload)
  return { receivedBytes, sizeBytes: upload.sizeBytes }
}

/** Stops the part in flight and returns the number of stored bytes of the upload. */
async function receivedBytesAfterStop(
  dependencies: UploadDependencies,
  actor: Actor,
  upload: UploadRecord,
): Promise<number> {
  await dependencies.partsInFlight.stop(upload.token)
  return (await progressOf(dependencies, actor, upload)).receivedBytes
}

/**
 * Returns the size of a finished upload's file. Throws `not-found` when the file at the path has another size, which
 * means that it was replaced after the upload.
 */
async function sizeOfPlacedFile({ storage }: Actor, { path, sizeBytes }: UploadRecord): Promise<number> {
  const entry = await storage.stat(path)
  if ((entry.target ?? entry).sizeBytes !== sizeBytes) throw new AppError('not-found')
  return sizeBytes
}
