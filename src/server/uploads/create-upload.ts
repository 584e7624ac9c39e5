import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { UploadRecord } from '../records/uploads.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { finishUpload, discardUpload, type UploadDependencies } from './upload-steps.ts'

/** A file that will be uploaded in parts. */
export type AnnouncedFile = {
  readonly path: Path
  /** The size of the whole file in bytes. Null when the client has announced none, which is refused. */
  readonly sizeBytes: number | null
  /** True when an existing file may be replaced. */
  readonly mayReplace: boolean
  /**
   * Returns the modification time of the file in ms since 1970, or undefined for the time of its last part. `replaced` is
   * the entry that the file replaces.
   */
  readonly modifiedMs: (replaced: Entry | null) => number | undefined
}

/**
 * Creates an upload in parts (contract 4). An existing file is not changed until the last part has arrived. A previous
 * upload of the same user to the same path is cancelled. An empty file is put in place immediately.
 */
export async function createUpload(
  dependencies: UploadDependencies,
  actor: Actor,
  { path, sizeBytes, mayReplace, modifiedMs, signal }: AnnouncedFile & { readonly signal: AbortSignal },
): Promise<void> {
  const existing = await statOrNull(actor.storage, path)
  const overwrite = requiredOverwrite(path, existing, mayReplace)
  if (sizeBytes === null) throw new AppError('bad-request', { reason: 'Upload-Length is not a number' })
  const { token } = await actor.storage.apply({
    kind: 'begin',
    path,
    overwrite,
    sizeBytes,
    parents: true,
    signal,
  })
  const upload = {
    userId: actor.user.id,
    path,
    token,
    sizeBytes,
    overwrite,
    isDone: false,
    touchedAtMs: dependencies.nowMs(),
    modifiedMs: modifiedMs(existing) ?? null,
  }
  await recordUpload(dependencies, actor, upload)
  if (sizeBytes === 0)
    await finishUpload(dependencies, actor, { upload, touchedAtMs: upload.touchedAtMs, signal })
}

/**
 * Determines whether the finished upload creates a file or replaces an existing file at its path. Throws when the path
 * or the existing entry does not allow the upload.
 */
function requiredOverwrite(
  path: Path,
  existing: Entry | null,
  mayReplace: boolean,
): UploadRecord['overwrite'] {
  if (path === root || (existing !== null && isFolder(existing)))
    throw new AppError('bad-request', { reason: 'a folder cannot be uploaded' })
  if (existing === null) return 'create'
  if (!mayReplace) throw new AppError('name-taken')
  return 'upsert'
}

/**
 * Stores the row of a new upload, then stops and discards the previous upload with the same user and path. When any of
 * these steps fails, the staged bytes of the new upload are removed.
 */
async function recordUpload(
  dependencies: UploadDependencies,
  { storage }: Actor,
  upload: UploadRecord,
): Promise<void> {
  const { uploads, partsInFlight } = dependencies
  try {
    const previous = await uploads.put(upload)
    if (previous === null || previous.isDone) return
    await partsInFlight.stop(previous.token)
    await discardUpload(dependencies, storage, previous)
  } catch (error) {
    await storage.apply({ kind: 'abort', upload })
    throw error
  }
}
