import type { beginUpload } from '../../shared/contract/tus.ts'
import { isFolder as standsFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { encodePath, root } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Upload } from '../records/port.ts'
import { finishUpload, standingAt, takeBack, type Desk } from './desk.ts'
import { plainNumber } from './plain-number.ts'

type AskedFor = Asked<typeof beginUpload>

/**
 * Begins an upload in parts (contract 4). Nothing that stands is touched before the last part has come; another upload of the same
 * person to the same path ends. An empty file is in place at once.
 */
export async function begin(desk: Desk, asked: AskedFor): Promise<Answer> {
  const { caller, path, signal } = asked
  const overwrite = await judge(asked)
  const sizeBytes = plainNumber(asked.header('upload-length'))
  if (sizeBytes === null) throw new AppError('bad-request', { reason: 'Upload-Length is no number' })
  const { token } = await caller.storage.begin(path, { overwrite, sizeBytes, parents: true, signal })
  const userId = caller.user.id
  const upload = { userId, path, token, sizeBytes, overwrite, isDone: false, touchedAtMs: desk.nowMs() }
  await enter(desk, caller, upload)
  if (sizeBytes === 0) await finishUpload(desk, caller, { upload, touchedAtMs: upload.touchedAtMs, signal })
  const location = `${desk.basePath}/api/tus${encodePath(path)}`
  return { kind: 'status', status: 201, headers: { Location: location } }
}

/** Everything that the path and what stands there decide. */
async function judge({ caller, path, isFolder, query }: AskedFor): Promise<Upload['overwrite']> {
  const standing = await standingAt(caller, path)
  if (isFolder || path === root || (standing !== null && standsFolder(standing)))
    throw new AppError('bad-request', { reason: 'a folder cannot be uploaded' })
  if (standing === null) return 'create'
  if (query.override !== 'true') throw new AppError('name-taken')
  if (!caller.may('modify')) throw new AppError('forbidden')
  return 'upsert'
}

async function enter(desk: Desk, caller: Caller, upload: Upload): Promise<void> {
  const { uploads, running } = desk
  try {
    const former = await uploads.put(upload)
    if (former === null || former.isDone) return
    await running.stop(former.token)
    await takeBack(desk, caller, former)
  } catch (error) {
    await caller.storage.abort(upload)
    throw error
  }
}
