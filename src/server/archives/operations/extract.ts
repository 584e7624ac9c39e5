import { AppError } from '../../../shared/domain/failure.ts'
import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'
import { parentOf, type Path } from '../../../shared/domain/path.ts'
import type { Actor } from '../../access/actor.ts'
import type { KeyedLimiter } from '../../concurrency/keyed-limiter.ts'
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

/** An archive to extract. */
export type RequestedExtraction = {
  readonly path: Path
  /** The folder that will contain the new folder. By default, it is the folder of the archive. */
  readonly destination: Path | undefined
  /** The encoding of names that are not UTF-8. Undefined when it has to be recognized. */
  readonly encoding: NameEncoding | undefined
  readonly signal: AbortSignal
}

/** Extracts an archive into a new folder in the destination. Yields lines of JSON that tell the progress. */
export async function extract(
  { limiter, openArchive, onFault }: ArchiveWorkDependencies,
  { storage, may, user }: Actor,
  { path, destination: to, encoding, signal }: RequestedExtraction,
): Promise<AsyncIterable<string>> {
  const destination = to ?? parentOf(path)
  // The storage would refuse as well, but only after the folder was looked up and other work of the user was waited for.
  if (!may('download')) throw new AppError('forbidden', { permission: 'download' })
  await storage.usage(destination, { signal })
  const principal = `user ${user.id}`
  const release = await limiter.acquire(principal, signal)
  const archive = await openArchive({ storage, path, principal, signal }).catch((error: unknown) => {
    release()
    throw error
  })
  const lines = progressLines(
    (progress, work) =>
      storage.asOne({ action: 'extract', path, to }, (part) =>
        extractMembers(archive, { storage: part, destination, encoding, signal: work }, progress),
      ),
    { signal, onFault },
  )
  return closingChunks(lines, async () => {
    release()
    await archive.close()
  })
}
