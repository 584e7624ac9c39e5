import type { Entry } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Upload, Uploads } from '../records/port.ts'
import type { Running } from './running.ts'

/** What the calls for uploads in parts need. */
export type Desk = {
  readonly uploads: Uploads
  readonly running: Running
  /** Without a slash at its end; empty for none. */
  readonly basePath: string
  readonly nowMs: () => number
}

/** What stands at a path, or null. Asked first by every call: a denied path is `forbidden`, whatever else is wrong. */
export async function standingAt({ storage }: Caller, path: Path): Promise<Entry | null> {
  try {
    return await storage.stat(path)
  } catch (error) {
    if (codeOf(error) === 'not-found' || codeOf(error) === 'not-a-folder') return null
    throw error
  }
}

/** The caller's own upload to a path; nobody finds another's. */
export async function findUpload({ uploads }: Desk, { user }: Caller, path: Path): Promise<Upload> {
  const upload = await uploads.find({ userId: user.id, path })
  if (upload === null) throw new AppError('not-found')
  return upload
}

/** How far an upload has come. One whose bytes are gone, with their folder maybe, is forgotten. */
export async function receivedOf({ uploads }: Desk, { storage }: Caller, upload: Upload): Promise<number> {
  try {
    return await storage.received(upload)
  } catch (error) {
    if (codeOf(error) === 'not-found') await uploads.remove([upload.token])
    throw error
  }
}

type Finishing = { readonly upload: Upload; readonly signal: AbortSignal }

/** Puts a whole upload in place. It is remembered as done, for a client that has not heard of it. */
export async function finishUpload(
  desk: Desk,
  { storage }: Caller,
  { upload, signal }: Finishing,
): Promise<void> {
  await storage.commit(upload, { overwrite: upload.overwrite, signal })
  await desk.uploads.touch(upload.token, { atMs: desk.nowMs(), isDone: true })
}
