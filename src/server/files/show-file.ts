import {
  checksumAlgorithms,
  type ChecksumAlgorithm,
  type FileResource,
} from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { RouteResponse } from '../http/route.ts'
import { describeFile, detailsOf, type ResourceRequest } from './describe-file.ts'

/** The limits for describing files. */
export type ShowFileDependencies = {
  /** Limits the number of checksums that are computed concurrently. Each computation reads a whole file. */
  readonly checksumLimiter: KeyedLimiter
  /**
   * Limits the number of texts that are read concurrently. All users share one queue, because the server needs memory
   * for several copies of a text while it prepares the response.
   */
  readonly textLimiter: KeyedLimiter
  /** Limits the rate at which responses with large texts are prepared. */
  readonly pace: RateLimiter
}

/**
 * Responds with a JSON description of a file that contains either the file's details or the requested checksum. For a
 * text file that is requested with `X-Encoding: true`, the response is the file's bytes instead (contract 3.2).
 */
export async function showFile(
  dependencies: ShowFileDependencies,
  request: ResourceRequest,
  entry: Entry,
): Promise<RouteResponse> {
  const { caller, path, query, signal } = request
  if (query.checksum !== undefined) {
    const algorithm = requestedAlgorithm(request, query.checksum)
    const checksums = { [algorithm]: await checksumOf(dependencies, request, algorithm) }
    const description: FileResource = { ...(await describeFile(request, entry)), checksums }
    return { kind: 'json', json: description }
  }
  const described = await describeFile(request, entry)
  if (request.header('x-encoding') === 'true' && described.type === 'text') {
    if (!caller.may('download')) throw new AppError('forbidden', { permission: 'download' })
    return { kind: 'file', file: await caller.storage.open(path, { signal }), isInline: false }
  }
  return { kind: 'json', json: { ...described, ...(await detailsOf(dependencies, request, described)) } }
}

/** Computes a checksum of a file. Waits while the caller has too many checksums in progress. */
async function checksumOf(
  { checksumLimiter }: ShowFileDependencies,
  { caller, path, signal }: ResourceRequest,
  algorithm: ChecksumAlgorithm,
): Promise<string> {
  const release = await checksumLimiter.acquire(caller.user.id, signal)
  try {
    return await caller.storage.checksum(path, { algorithm, signal })
  } finally {
    release()
  }
}

/**
 * Returns the checksum algorithm that the query names. Callers without the permission to download may not request a
 * checksum either (contract 1.6, 3.2).
 */
function requestedAlgorithm({ caller }: ResourceRequest, name: string): ChecksumAlgorithm {
  if (!caller.may('download')) throw new AppError('forbidden', { permission: 'download' })
  const algorithm = checksumAlgorithms.find((known) => known === name)
  if (algorithm === undefined) throw new AppError('bad-request', { reason: 'the checksum is unknown' })
  return algorithm
}
