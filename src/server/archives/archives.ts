import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { Storage } from '../storage/port.ts'
import { createThreadPool } from '../workers/thread-pool.ts'
import type { CompressionTasks } from './compressions/thread.ts'
import { createFormatFinder, type ArchiveFormat } from './archive-formats.ts'
import { createRateLimiter } from '../concurrency/rate-limiter.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createLossCollector, type LossCollector } from '../../shared/domain/losses.ts'
import { listedLosses } from './members/left-out-member.ts'
import { readArchiveMembers, type ArchiveReadRequest } from './members/read-archive-members.ts'
import { type ArchiveOpener, createArchiveOpener } from './operations/open-archive.ts'
import type { ArchiveMemory } from './reading/packed/archive-memory.ts'
import { createReaderFinder } from './reading/readers.ts'
import { parseRequestedPaths, type RequestedPaths } from './requested-paths.ts'

/** A request for an archive of a folder, or of some entries of the folder. */
export type ArchiveRequest = {
  /** The storage, narrowed to the access of the caller or guest. */
  readonly storage: Storage
  readonly folder: Path
  /** The archive's name, without extension, for a request of the storage's root, which has no name. */
  readonly rootName: string
  /** The names of the requested entries, as in the query (contract 5.2). */
  readonly files: string
  readonly algo: string
  /** Identifies the user or guest. The number of concurrent archives is limited per user and guest. */
  readonly principal: string
  readonly signal: AbortSignal
}

/** An archive that is packed while its chunks are read. */
export type PackedArchive = {
  readonly name: string
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array>
}

export type ArchivePacker = {
  /** Returns the archive. No entry is read before the first chunk is requested. */
  readonly pack: (request: ArchiveRequest) => Promise<PackedArchive>
  /**
   * Returns the function that packs entries in the format of an archive's name. Throws `bad-name` for a name that has
   * the extension of no format. The function adds what it leaves out to `losses`.
   */
  readonly chunksFor: (
    archive: Path,
  ) => (
    request: Omit<ArchiveRequest, 'algo' | 'rootName'> & { readonly losses: LossCollector },
  ) => AsyncIterable<Uint8Array>
  /** Opens an archive among the files for reading. */
  readonly openArchive: ArchiveOpener
  readonly close: () => Promise<void>
}

/**
 * Maximum length of a list of names, in characters, that is parsed without a rate limit. Parsing a longer list
 * noticeably blocks other requests.
 */
const longListChars = 16 * 1024

export type ArchivePackerDependencies = {
  /** Limits the archives that one user or guest packs at the same time. */
  readonly limiter: KeyedLimiter
  /** Limits the archives that are packed at the same time for everybody. */
  readonly sharedLimiter?: KeyedLimiter | undefined
  /** The memory of all archives that are read or packed. */
  readonly memory: ArchiveMemory
  /** The largest number of threads that compress. */
  readonly threads?: number
  /** The interval in ms at which threads without work are looked for. */
  readonly idleCheckMs?: number | undefined
}

/**
 * Creates the service that packs archives. An archive is packed while it is sent: no part of it is stored on disk, and
 * only the chunks in flight are in memory.
 */
export function createArchives({
  limiter,
  sharedLimiter,
  memory,
  threads: size = 2,
  idleCheckMs,
}: ArchivePackerDependencies): ArchivePacker {
  const waitForRate = createRateLimiter()
  const packing: PackingLimits = { limiter, sharedLimiter, memory }
  const threads = createThreadPool<CompressionTasks>({
    entry: new URL('./compressions/thread.ts', import.meta.url),
    size,
    idleCheckMs,
  })
  const formats = createFormatFinder(threads)
  return {
    async pack(request) {
      const format = formats.ofAlgo(request.algo)
      if (format === null) throw new AppError('bad-request', { reason: 'unknown archive format' })
      if (request.files.length > longListChars) await waitForRate()
      const requested = parseRequestedPaths(request.folder, request.files)
      return {
        name: archiveName(request, requested) + format.extension,
        contentType: format.contentType,
        chunks: packedChunks(packing, request, { ...requested, format, losses: null }),
      }
    },
    chunksFor(archive) {
      const format = formats.ofName(nameOf(archive))
      if (format === null)
        throw new AppError('bad-name', { reason: 'the name has the extension of no archive format' })
      return (request) =>
        packedChunks(packing, request, {
          ...parseRequestedPaths(request.folder, request.files),
          format,
          losses: request.losses,
        })
    },
    openArchive: createArchiveOpener(createReaderFinder(threads), memory),
    close: () => threads.close(),
  }
}

/**
 * Returns the name of an archive without extension: the name of its only entry, or `_` followed by the name of the
 * folder that contains its entries.
 */
function archiveName({ rootName }: ArchiveRequest, { base, topPaths }: RequestedPaths): string {
  const name = base === root ? rootName : nameOf(base)
  return topPaths.length > 1 ? `_${name}` : name
}

type ArchivePlan = RequestedPaths & {
  readonly format: ArchiveFormat
  /** Collects what the archive lacks. Null when the archive itself lists it, because nobody else can. */
  readonly losses: LossCollector | null
}

type PackingLimits = Pick<ArchivePackerDependencies, 'limiter' | 'sharedLimiter' | 'memory'>

async function* packedChunks(
  { limiter, sharedLimiter, memory }: PackingLimits,
  { storage, principal, signal }: Pick<ArchiveRequest, 'storage' | 'principal' | 'signal'>,
  { base, topPaths, format, losses }: ArchivePlan,
): AsyncGenerator<Uint8Array, void> {
  const release = await limiter.acquire(principal, signal)
  const reservation = memory.reserve(principal)
  let releaseShared: (() => void) | undefined
  try {
    releaseShared = await sharedLimiter?.acquire('packing', signal)
    reservation.add(format.packingBytes)
    const content: ArchiveReadRequest = {
      storage,
      base,
      topPaths,
      needsCrc: format.needsCrc,
      losses: losses ?? createLossCollector(listedLosses),
      listsLosses: losses === null,
      signal,
    }
    yield* format.write(readArchiveMembers(content))
  } finally {
    reservation.release()
    releaseShared?.()
    release()
  }
}
