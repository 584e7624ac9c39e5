import type { createResource } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

type CreateRequest = OperationRequest<typeof createResource>

/**
 * Creates a folder when the path ends with a slash, and otherwise a file with the request's body as its content
 * (contract 3.6).
 */
export async function createEntry(request: CreateRequest): Promise<RouteResponse> {
  if (!request.isFolder && request.path !== root) return writeUploadedFile(request)
  await request.caller.storage.apply({
    kind: 'makeFolder',
    path: request.path,
    parents: true,
    mayExist: true,
    signal: request.signal,
  })
  return { kind: 'status', status: 200 }
}

/**
 * Writes the request's body to a file. All checks that do not depend on the body are made before the first byte of the
 * body is read.
 */
async function writeUploadedFile({
  caller,
  path,
  query,
  header,
  bytes,
  sizeBytes,
  signal,
}: CreateRequest): Promise<RouteResponse> {
  // Without `override`, no lookup is needed, because the storage refuses to create a file whose name already exists.
  const existing = query.override === 'true' ? await statOrNull(caller.storage, path) : null
  if (existing !== null) requireReplaceable(existing, { mayModify: caller.may('modify') })
  const overwrite = existing === null ? 'create' : 'upsert'
  const modifiedMs = keptModifiedMs(header, existing)
  const options = { overwrite, sizeBytes, modifiedMs, parents: true, signal } as const
  const entry = await caller.storage.apply({ kind: 'write', path, body: bytes, ...options })
  return { kind: 'status', status: 200, headers: { ETag: `"${entry.etag}"`, ...lossHeaders(entry.losses) } }
}

/** Throws unless the caller may modify files and the existing entry is not a folder. */
function requireReplaceable(existing: Entry, { mayModify }: { readonly mayModify: boolean }): void {
  if (!mayModify) throw new AppError('forbidden', { permission: 'modify' })
  if (isFolder(existing)) throw new AppError('is-a-folder')
}
