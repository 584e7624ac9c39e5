import type { abortUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import { findUpload, isDone, standingAt, takeBack, type Desk } from './desk.ts'

/** Ends an upload of the caller's own: no permission is needed for that, and what stands at its path stays (contract 4). */
export async function abort(desk: Desk, { caller, path }: Asked<typeof abortUpload>): Promise<Answer> {
  if (path === root) throw new AppError('forbidden')
  await standingAt(caller, path)
  const upload = await findUpload(desk, caller, path)
  await desk.running.stop(upload.token)
  if (await isDone(desk, caller, upload)) throw new AppError('not-found')
  await takeBack(desk, caller, upload)
  await desk.uploads.remove([upload.token])
  return { kind: 'status', status: 204 }
}
