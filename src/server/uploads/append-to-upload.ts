import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { UploadRecord } from '../records/uploads.ts'
import type { ChangedEntry, IncomingBody } from '../storage/change.ts'
import { findUpload, finishUpload, progressOf, type UploadDependencies } from './upload-steps.ts'

/** A part of the upload to a path. */
export type ArrivingPart = {
  readonly path: Path
  /** The position of the part in the file. */
  readonly offsetBytes: number
  readonly body: IncomingBody
  /** The announced size of the part. Undefined when it is not announced. */
  readonly sizeBytes: number | undefined
}

/** The number of stored bytes after a part, and what the last part of an upload could not keep of the replaced file. */
export type ReceivedPart = {
  readonly receivedBytes: number
  readonly losses?: ChangedEntry['losses'] | undefined
}

/**
 * Appends a part to an upload (contract 4). When it completes the upload, the file is moved to its path. A refused part
 * does not change the upload.
 */
export async function appendToUpload(
  dependencies: UploadDependencies,
  actor: Actor,
  { signal, ...part }: ArrivingPart & { readonly signal: AbortSignal },
): Promise<ReceivedPart> {
  const upload = await findUpload(dependencies, actor, part.path)
  if (part.offsetBytes > upload.sizeBytes)
    throw new AppError('bad-request', { reason: 'Upload-Offset is beyond the end' })
  if (upload.isDone) return { receivedBytes: offsetOfRepeatedPart(upload, part) }
  return dependencies.partsInFlight.run(upload.token, signal, (partSignal) =>
    receivePart(dependencies, actor, { part, upload, signal: partSignal }),
  )
}

type PartToReceive = {
  readonly part: ArrivingPart
  readonly upload: UploadRecord
  readonly signal: AbortSignal
}

/**
 * Writes one part and returns the number of bytes of the upload that are stored afterwards. Throws `wrong-offset` when
 * the part does not begin where the stored bytes end, and `too-large` when the part would exceed the announced size of
 * the file.
 */
async function receivePart(
  dependencies: UploadDependencies,
  actor: Actor,
  { part, upload, signal }: PartToReceive,
): Promise<ReceivedPart> {
  const { offsetBytes, body, sizeBytes } = part
  const progress = await progressOf(dependencies, actor, upload)
  if (progress.isDone) return { receivedBytes: offsetOfRepeatedPart(upload, part) }
  if (progress.receivedBytes !== offsetBytes) throw new AppError('wrong-offset')
  const maxBytes = upload.sizeBytes - offsetBytes
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
  const receivedBytes = await actor.storage.apply({
    kind: 'put',
    overwrite: upload.overwrite,
    upload,
    part: { offsetBytes, maxBytes, body },
    signal,
  })
  const touchedAtMs = dependencies.nowMs()
  await dependencies.uploads.touch(upload.token, { atMs: touchedAtMs, isDone: false })
  if (receivedBytes !== upload.sizeBytes) return { receivedBytes }
  const { losses } = await finishUpload(dependencies, actor, { upload, touchedAtMs, signal })
  return { receivedBytes, losses }
}

/**
 * Returns the number of stored bytes after a part of an upload that is already complete. The part must begin at the end
 * of the file and be empty, because the file has already been moved to its path. A part whose size is not announced
 * counts as empty; its bytes are not read.
 */
function offsetOfRepeatedPart(
  upload: UploadRecord,
  { offsetBytes, sizeBytes = 0 }: Pick<ArrivingPart, 'offsetBytes' | 'sizeBytes'>,
): number {
  if (offsetBytes !== upload.sizeBytes) throw new AppError('wrong-offset')
  if (sizeBytes > 0) throw new AppError('too-large')
  return offsetBytes
}
