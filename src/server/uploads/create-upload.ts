import type { beginUpload } from '../../shared/contract/tus.ts'
import { isFolder as isFolderEntry, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { encodePath, root } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { UploadRecord } from '../records/port.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { finishUpload, discardUpload, plainNumber, type UploadDependencies } from './upload-steps.ts'

type CreateUploadRequest = OperationRequest<typeof beginUpload>

/**
 * Creates an upload in parts (contract 4). An existing file is not changed until the last part has arrived. A previous
 * upload of the same user to the same path is cancelled. An empty file is put in place immediately.
 */
export async function createUpload(
  dependencies: UploadDependencies,
  request: CreateUploadRequest,
): Promise<RouteResponse> {
  const { caller, path, signal } = request
  const existing = await statOrNull(caller.storage, path)
  const overwrite = requiredOverwrite(request, existing)
  const sizeBytes = plainNumber(request.header('upload-length'))
  if (sizeBytes === null) throw new AppError('bad-request', { reason: 'Upload-Length is not a number' })
  const { token } = await caller.storage.apply({
    kind: 'begin',
    path,
    overwrite,
    sizeBytes,
    parents: true,
    signal,
  })
  const userId = caller.user.id
  const upload = {
    userId,
    path,
    token,
    sizeBytes,
    overwrite,
    isDone: false,
    touchedAtMs: dependencies.nowMs(),
    modifiedMs: keptModifiedMs(request.header, existing) ?? null,
  }
  await recordUpload(dependencies, caller, upload)
  if (sizeBytes === 0)
    await finishUpload(dependencies, caller, { upload, touchedAtMs: upload.touchedAtMs, signal })
  const location = `${dependencies.basePath}/api/tus${encodePath(path)}`
  return { kind: 'status', status: 201, headers: { Location: location } }
}

/**
 * Determines whether the finished upload creates a file or replaces an existing file at its path. Throws when the path,
 * the existing entry or the caller's permissions do not allow the upload.
 */
function requiredOverwrite(
  { caller, path, isFolder, query }: CreateUploadRequest,
  existing: Entry | null,
): UploadRecord['overwrite'] {
  if (isFolder || path === root || (existing !== null && isFolderEntry(existing)))
    throw new AppError('bad-request', { reason: 'a folder cannot be uploaded' })
  if (existing === null) return 'create'
  if (query.override !== 'true') throw new AppError('name-taken')
  if (!caller.may('modify')) throw new AppError('forbidden', { permission: 'modify' })
  return 'upsert'
}

/**
 * Stores the row of a new upload, then stops and discards the previous upload with the same user and path. When any of
 * these steps fails, the staged bytes of the new upload are removed.
 */
async function recordUpload(
  dependencies: UploadDependencies,
  caller: Caller,
  upload: UploadRecord,
): Promise<void> {
  const { uploads, partsInFlight } = dependencies
  try {
    const previous = await uploads.put(upload)
    if (previous === null || previous.isDone) return
    await partsInFlight.stop(previous.token)
    await discardUpload(dependencies, caller, previous)
  } catch (error) {
    await caller.storage.apply({ kind: 'abort', upload })
    throw error
  }
}
