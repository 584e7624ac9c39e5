import type { showUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { UploadRecord } from '../records/port.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { findUpload, progressOf, type UploadDependencies } from './upload-steps.ts'

/**
 * Responds with the offset at which the client continues its upload (contract 4). A part that is still in flight is
 * stopped, because a client requests the offset only after it has lost the connection of that part.
 */
export async function showUploadOffset(
  dependencies: UploadDependencies,
  { caller, path }: OperationRequest<typeof showUpload>,
): Promise<RouteResponse> {
  // This check comes first, so that the response for a denied path is `forbidden` even when the request has other
  // errors.
  await statOrNull(caller.storage, path)
  const upload = await findUpload(dependencies, caller, path)
  const offset = upload.isDone
    ? await sizeOfPlacedFile(caller, upload)
    : await receivedBytesAfterStop(dependencies, caller, upload)
  const headers = {
    'Upload-Offset': String(offset),
    'Upload-Length': String(upload.sizeBytes),
    'Cache-Control': 'no-store',
  }
  return { kind: 'status', status: 200, headers }
}

/** Stops the part in flight and returns the number of stored bytes of the upload. */
async function receivedBytesAfterStop(
  dependencies: UploadDependencies,
  caller: Caller,
  upload: UploadRecord,
): Promise<number> {
  await dependencies.partsInFlight.stop(upload.token)
  return (await progressOf(dependencies, caller, upload)).receivedBytes
}

/**
 * Returns the size of a finished upload's file. Throws `not-found` when the file at the path has another size, which
 * means that it was replaced after the upload.
 */
async function sizeOfPlacedFile({ storage }: Caller, { path, sizeBytes }: UploadRecord): Promise<number> {
  const entry = await storage.stat(path)
  if ((entry.target ?? entry).sizeBytes !== sizeBytes) throw new AppError('not-found')
  return sizeBytes
}
