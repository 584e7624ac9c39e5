import type { saveResource } from '../../shared/contract/resources.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import { matchesEtag } from '../http/response/preconditions.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/**
 * Replaces the content of an existing file. The path may be a link to the file. A request with an empty body truncates
 * the file (contract 3.7).
 */
export async function saveFile(request: OperationRequest<typeof saveResource>): Promise<RouteResponse> {
  const { caller, path, isFolder: endsWithSlash, bytes, sizeBytes, signal } = request
  const existing = await statOrNull(caller.storage, path)
  if (endsWithSlash || (existing !== null && isFolder(existing))) throw new AppError('method-not-allowed')
  if (existing === null) throw new AppError('not-found')
  const ifMatch = requiredEtag(request.header('if-match'), existing.etag)
  try {
    const entry = await caller.storage.apply({
      kind: 'write',
      path,
      body: bytes,
      overwrite: 'replace',
      ifMatch,
      sizeBytes,
      signal,
    })
    return { kind: 'status', status: 200, headers: { ETag: `"${entry.etag}"`, ...lossHeaders(entry.losses) } }
  } catch (error) {
    if (codeOf(error) === 'is-a-folder') throw new AppError('method-not-allowed', { cause: error })
    throw error
  }
}

/**
 * Returns the etag that the file must still have when its content is replaced, or undefined when the `If-Match` header
 * is missing or is `*`. Throws when the file already has a different etag.
 */
function requiredEtag(ifMatch: string | undefined, etag: string): string | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  if (!matchesEtag(ifMatch, etag, 'strong')) throw new AppError('changed-meanwhile')
  return etag
}
