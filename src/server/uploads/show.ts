import type { showUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Upload } from '../records/port.ts'
import { findUpload, progressOf, standingAt, type Desk } from './desk.ts'

/** Where to go on (contract 4). A part that still seems to be under way ends: who asks has lost it. */
export async function show(desk: Desk, { caller, path }: Asked<typeof showUpload>): Promise<Answer> {
  await standingAt(caller, path)
  const upload = await findUpload(desk, caller, path)
  const offset = upload.isDone ? await sizeInPlace(caller, upload) : await lengthAtRest(desk, caller, upload)
  const headers = {
    'Upload-Offset': String(offset),
    'Upload-Length': String(upload.sizeBytes),
    'Cache-Control': 'no-store',
  }
  return { kind: 'status', status: 200, headers }
}

async function lengthAtRest(desk: Desk, caller: Caller, upload: Upload): Promise<number> {
  await desk.running.stop(upload.token)
  return (await progressOf(desk, caller, upload)).receivedBytes
}

/** One that is done is found as long as its file is what was uploaded, by its size. */
async function sizeInPlace({ storage }: Caller, { path, sizeBytes }: Upload): Promise<number> {
  const entry = await storage.stat(path)
  if ((entry.target ?? entry).sizeBytes !== sizeBytes) throw new AppError('not-found')
  return sizeBytes
}
