import { type extractArchive, progressMediaType } from '../../../shared/contract/archives.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import type { KeyedLimiter } from '../../concurrency/keyed-limiter.ts'
import type { OperationRequest, RouteResponse } from '../../http/route.ts'
import { extractMembers } from './extract-members.ts'
import { closingChunks } from './closing-chunks.ts'
import type { ArchiveOpener } from './open-archive.ts'
import { progressLines } from './progress-lines.ts'

export type ArchiveWorkDependencies = {
  /** Limits the archives that one user packs and unpacks at the same time. */
  readonly limiter: KeyedLimiter
  readonly openArchive: ArchiveOpener
  readonly onFault: (error: unknown) => void
}

/** Extracts an archive into a new folder in the destination, which by default is the folder of the archive. */
export async function extract(
  { limiter, openArchive, onFault }: ArchiveWorkDependencies,
  { caller, path, query, signal }: OperationRequest<typeof extractArchive>,
): Promise<RouteResponse> {
  if (!caller.may('download')) throw new AppError('forbidden', { permission: 'download' })
  const parsed = query.destination === undefined ? parentOf(path) : pathOf(query.destination)
  if (parsed === null) throw new AppError('bad-request', { reason: 'the destination is not a path' })
  const destination: Path = parsed
  const { storage } = caller
  await storage.usage(destination, { signal })
  const principal = `user ${caller.user.id}`
  const release = await limiter.acquire(principal, signal)
  const archive = await openArchive({ storage, path, principal, signal }).catch((error: unknown) => {
    release()
    throw error
  })
  const lines = progressLines(
    (progress, work) =>
      extractMembers(archive, { storage, destination, encoding: query.encoding, signal: work }, progress),
    { signal, onFault },
  )
  const chunks = closingChunks(lines, async () => {
    release()
    await archive.close()
  })
  return { kind: 'stream', contentType: progressMediaType, chunks }
}
