import { partMediaType, type continueUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Upload } from '../records/port.ts'
import { findUpload, finishUpload, progressOf, standingAt, type Desk } from './desk.ts'
import { plainNumber } from './plain-number.ts'

type AskedFor = Asked<typeof continueUpload>

/** Takes the next part; the last one puts the file in place (contract 4). Where that is refused, the upload stays as it is. */
export async function goOn(desk: Desk, asked: AskedFor): Promise<Answer> {
  const { caller, path, header, signal } = asked
  await standingAt(caller, path)
  if (header('content-type')?.trim().toLowerCase() !== partMediaType) throw new AppError('wrong-media-type')
  const offset = plainNumber(header('upload-offset'))
  if (offset === null) throw new AppError('bad-request', { reason: 'Upload-Offset is no number' })
  const upload = await findUpload(desk, caller, path)
  if (offset > upload.sizeBytes)
    throw new AppError('bad-request', { reason: 'Upload-Offset is beyond the end' })
  if (upload.overwrite === 'upsert' && !caller.may('modify')) throw new AppError('forbidden')
  const length = upload.isDone
    ? repeated(upload, asked, offset)
    : await desk.running.run(upload.token, signal, (until) =>
        take(desk, { asked, upload, offset, signal: until }),
      )
  return { kind: 'status', status: 204, headers: { 'Upload-Offset': String(length) } }
}

type Part = {
  readonly asked: AskedFor
  readonly upload: Upload
  readonly offset: number
  readonly signal: AbortSignal
}

async function take(desk: Desk, { asked, upload, offset, signal }: Part): Promise<number> {
  const { caller, bytes, sizeBytes } = asked
  const { receivedBytes, isDone } = await progressOf(desk, caller, upload)
  if (isDone) return repeated(upload, asked, offset)
  if (receivedBytes !== offset) throw new AppError('wrong-offset')
  const mostBytes = upload.sizeBytes - offset
  if (sizeBytes !== undefined && sizeBytes > mostBytes) throw new AppError('too-large')
  const length = await caller.storage.put(upload, { offsetBytes: offset, mostBytes, body: bytes }, { signal })
  const touchedAtMs = desk.nowMs()
  await desk.uploads.touch(upload.token, { atMs: touchedAtMs, isDone: false })
  if (length === upload.sizeBytes) await finishUpload(desk, caller, { upload, touchedAtMs, signal })
  return length
}

/** The last part once more, of an upload that is in place: nothing is left to bring. */
function repeated(upload: Upload, { sizeBytes = 0 }: AskedFor, offset: number): number {
  if (offset !== upload.sizeBytes) throw new AppError('wrong-offset')
  if (sizeBytes > 0) throw new AppError('too-large')
  return offset
}
