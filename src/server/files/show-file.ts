import {
  checksumAlgorithms,
  type ChecksumAlgorithm,
  type FileResource,
} from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Actor } from '../access/actor.ts'
import type { OpenFile } from '../storage/port.ts'
import { describeFile, detailsOf, type FileRequest } from './describe-file.ts'

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

/** A file to show. */
export type ShowFileRequest = FileRequest & {
  /** The name of the checksum that the description contains instead of the details. Undefined for the details. */
  readonly checksum: string | undefined
  /** True when the bytes of a text file are wanted instead of its description. */
  readonly wantsText: boolean
}

/** The description of a file, or the open text file. */
export type ShownFile =
  | { readonly kind: 'description'; readonly description: FileResource }
  | { readonly kind: 'text'; readonly file: OpenFile }

/**
 * Returns a description of a file that contains either the file's details or the requested checksum, or the text file
 * itself (contract 3.2).
 */
export async function showFile(
  dependencies: ShowFileDependencies,
  actor: Actor,
  request: ShowFileRequest,
): Promise<ShownFile> {
  const { path, checksum, wantsText, signal } = request
  if (checksum !== undefined) {
    const algorithm = requestedAlgorithm(actor, checksum)
    const checksums = { [algorithm]: await checksumOf(dependencies, actor, { path, algorithm, signal }) }
    return { kind: 'description', description: { ...(await describeFile(actor, request)), checksums } }
  }
  const described = await describeFile(actor, request)
  const { type } = described
  if (wantsText && type === 'text') return { kind: 'text', file: await actor.storage.open(path, { signal }) }
  const details = await detailsOf(dependencies, actor, { path, type, signal })
  return { kind: 'description', description: { ...described, ...details } }
}

type ChecksumRequest = Pick<FileRequest, 'path' | 'signal'> & { readonly algorithm: ChecksumAlgorithm }

/** Computes a checksum of a file. Waits while the actor has too many checksums in progress. */
async function checksumOf(
  { checksumLimiter }: ShowFileDependencies,
  { user, storage }: Actor,
  { path, ...options }: ChecksumRequest,
): Promise<string> {
  const release = await checksumLimiter.acquire(user.id, options.signal)
  try {
    return await storage.checksum(path, options)
  } finally {
    release()
  }
}

/**
 * Returns the checksum algorithm with a name. The storage refuses the checksum to actors who may not download; here the lack of
 * the permission is told before an unknown name (contract 1.6, 3.2).
 */
function requestedAlgorithm({ may }: Actor, name: string): ChecksumAlgorithm {
  if (!may('download')) throw new AppError('forbidden', { permission: 'download' })
  const algorithm = checksumAlgorithms.find((known) => known === name)
  if (algorithm === undefined) throw new AppError('bad-request', { reason: 'the checksum is unknown' })
  return algorithm
}
