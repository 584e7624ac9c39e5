import { partMediaType, type continueUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { UploadRecord } from '../records/port.ts'
import type { ChangedEntry } from '../storage/change.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { findUpload, finishUpload, progressOf, plainNumber, type UploadDependencies } from './upload-steps.ts'

type AppendRequest = OperationRequest<typeof continueUpload>

/**
 * Appends the request's body to an upload (contract 4). When the body completes the upload, the file is moved to its
 * path. A refused part does not change the upload.
 */
export async function appendToUpload(
  dependencies: UploadDependencies,
  request: AppendRequest,
): Promise<RouteResponse> {
  const { caller, path, header, signal } = request
  // This check comes first, so that the response for a denied path is `forbidden` even when the request has other
  // errors.
  await statOrNull(caller.storage, path)
  if (header('content-type')?.trim().toLowerCase() !== partMediaType) throw new AppError('wrong-media-type')
  const offsetBytes = plainNumber(header('upload-offset'))
  if (offsetBytes === null) throw new AppError('bad-request', { reason: 'Upload-Offset is not a number' })
  const upload = await findUpload(dependencies, caller, path)
  if (offsetBytes > upload.sizeBytes)
    throw new AppError('bad-request', { reason: 'Upload-Offset is beyond the end' })
  if (upload.overwrite === 'upsert' && !caller.may('modify'))
    throw new AppError('forbidden', { permission: 'modify' })
  const { receivedBytes, losses } = upload.isDone
    ? { receivedBytes: offsetOfRepeatedPart(upload, request, offsetBytes), losses: undefined }
    : await dependencies.partsInFlight.run(upload.token, signal, (partSignal) =>
        receivePart(dependencies, { request, upload, offsetBytes, signal: partSignal }),
      )
  return {
    kind: 'status',
    status: 204,
    headers: { 'Upload-Offset': String(receivedBytes), ...lossHeaders(losses) },
  }
}

type UploadPartOptions = {
  readonly request: AppendRequest
  readonly upload: UploadRecord
  readonly offsetBytes: number
  readonly signal: AbortSignal
}

/** The number of stored bytes after a part, and what the last part of an upload could not keep of the replaced file. */
type ReceivedPart = { readonly receivedBytes: number; readonly losses?: ChangedEntry['losses'] | undefined }

/**
 * Writes one part and returns the number of bytes of the upload that are stored afterwards. Throws `wrong-offset` when
 * the part does not begin where the stored bytes end, and `too-large` when the part would exceed the announced size of
 * the file.
 */
async function receivePart(
  dependencies: UploadDependencies,
  { request, upload, offsetBytes, signal }: UploadPartOptions,
): Promise<ReceivedPart> {
  const { caller, bytes, sizeBytes } = request
  const progress = await progressOf(dependencies, caller, upload)
  if (progress.isDone) return { receivedBytes: offsetOfRepeatedPart(upload, request, offsetBytes) }
  if (progress.receivedBytes !== offsetBytes) throw new AppError('wrong-offset')
  const maxBytes = upload.sizeBytes - offsetBytes
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
  const receivedBytes = await caller.storage.apply({
    kind: 'put',
    upload,
    part: { offsetBytes, maxBytes, body: bytes },
    signal,
  })
  const touchedAtMs = dependencies.nowMs()
  await dependencies.uploads.touch(upload.token, { atMs: touchedAtMs, isDone: false })
  if (receivedBytes !== upload.sizeBytes) return { receivedBytes }
  const { losses } = await finishUpload(dependencies, caller, { upload, touchedAtMs, signal })
  return { receivedBytes, losses }
}

/**
 * Returns the offset for the response to a part of an upload that is already complete. The part must begin at the end
 * of the file and be empty, because the file has already been moved to its path. A part without `Content-Length` counts
 * as empty; its bytes are not read.
 */
function offsetOfRepeatedPart(
  upload: UploadRecord,
  { sizeBytes = 0 }: AppendRequest,
  offsetBytes: number,
): number {
  if (offsetBytes !== upload.sizeBytes) throw new AppError('wrong-offset')
  if (sizeBytes > 0) throw new AppError('too-large')
  return offsetBytes
}
