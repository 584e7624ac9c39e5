import type { Entry } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Upload, Uploads } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import type { Running } from './running.ts'

/** What the calls for uploads in parts need. */
export type Desk = Pick<Volume, 'discard'> & {
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

/** How far an upload has come, and whether its file is in place. */
export type Progress = { readonly receivedBytes: number; readonly isDone: boolean }

/** Asked when no part of an upload is under way. One whose bytes are gone, with their folder maybe, is forgotten. */
export async function progressOf(desk: Desk, caller: Caller, upload: Upload): Promise<Progress> {
  try {
    return { receivedBytes: await caller.storage.received(upload), isDone: false }
  } catch (error) {
    if (codeOf(error) !== 'not-found') throw error
    if (await isDone(desk, caller, upload)) return { receivedBytes: upload.sizeBytes, isDone: true }
    await desk.discard([upload.token])
    await desk.uploads.remove([upload.token])
    throw error
  }
}

/** Takes back the bytes of an upload, wherever they are: its path may lead elsewhere by now, as another scope does. */
export async function takeBack(
  desk: Pick<Desk, 'discard'>,
  { storage }: Caller,
  upload: Upload,
): Promise<void> {
  await storage.abort(upload)
  await desk.discard([upload.token])
}

/**
 * Whether an upload's file is in place. Its row may have been read before the last part was, and it may not say so, if the server was
 * stopped between the two: then the file's time does, which was noted before.
 */
export async function isDone(desk: Desk, caller: Caller, { path, token }: Upload): Promise<boolean> {
  const now = await findUpload(desk, caller, path)
  if (now.token !== token) return false
  const { sizeBytes, touchedAtMs: modifiedMs } = now
  return now.isDone || caller.storage.isPlaced(now, { sizeBytes, modifiedMs })
}

type Finishing = {
  readonly upload: Upload
  /** The time that the file is to have: when its row was last touched. */
  readonly touchedAtMs: number
  readonly signal: AbortSignal
}

/** Puts a whole upload in place. It is remembered as done, for a client that has not heard of it. */
export async function finishUpload(
  desk: Desk,
  { storage }: Caller,
  { upload, touchedAtMs, signal }: Finishing,
): Promise<void> {
  await storage.commit(upload, { overwrite: upload.overwrite, modifiedMs: touchedAtMs, signal })
  await desk.uploads.touch(upload.token, { atMs: desk.nowMs(), isDone: true })
}
