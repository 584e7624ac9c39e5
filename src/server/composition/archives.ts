import { getHeapStatistics } from 'node:v8'
import { limits } from '../../shared/domain/limits.ts'
import type { NativeFormat } from '../../shared/domain/native-formats.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { MemoryBudget } from '../config/memory-budget.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createArchives, type ArchivePacker } from '../archives/archives.ts'
import { findMissingFormats, nativePackages } from '../archives/compressions/native-packages.ts'
import { createArchiveMemory } from '../archives/reading/packed/archive-memory.ts'
import { downloadRoutes, type DownloadDependencies, type FolderDownload } from '../downloads/routes.ts'
import { archiveRoutes } from '../archives/routes.ts'
import type { Route, RouteResponse } from '../http/route.ts'

/** Limits of concurrent and queued archive downloads, counted separately for each user and, for guests, for each network
 * (security 3.8). */
const archiveLimits = {
  maxConcurrent: limits.concurrentArchives,
  maxQueued: limits.archivesWaiting,
  maxWaitMs: limits.archivePatienceMs,
}

/** Packs folders into archives, for guests and for signed-in users. */
export type ArchiveModule = ArchivePacker & {
  /** The routes for downloads, and those for archives among the files. */
  readonly routes: readonly Route[]
  readonly missingFormats: MissingFormats
}

/** The formats of archives whose packages do not run on this machine. */
export type MissingFormats = {
  /** Returns the formats that are known to be missing. */
  readonly known: () => readonly NativeFormat[]
  /** Looks for missing formats, and says which ones there are. Calls `onFound` when there are any. */
  readonly find: (onFound: () => Promise<void>) => Promise<void>
}

type ArchiveModuleDependencies = Pick<DownloadDependencies, 'remux'> & {
  /** The name of the served folder on disk. */
  readonly volumeName: string
  readonly memoryBudget: MemoryBudget
  readonly onFault: (error: unknown) => void
  readonly runtime: { readonly log: (line: string) => void }
}

/**
 * Creates the packer of archives for all features that offer folder downloads.
 */
export function composeArchives({
  volumeName,
  memoryBudget,
  onFault,
  runtime,
  remux,
}: ArchiveModuleDependencies): ArchiveModule {
  const limiter = createKeyedLimiter(archiveLimits)
  const memory = createArchiveMemory(getHeapStatistics().heap_size_limit, memoryBudget.archiveBytes)
  const archives = createArchives({
    limiter,
    sharedLimiter: createKeyedLimiter({
      maxConcurrent: memoryBudget.packedArchives,
      maxQueued: archiveLimits.maxQueued,
      maxWaitMs: archiveLimits.maxWaitMs,
      errorCode: 'overloaded',
    }),
    memory,
    threads: memoryBudget.compressionThreads,
    idleCheckMs: memoryBudget.idleThreadCheckMs,
  })
  /** Packs a folder for a signed-in user. An archive of the root of the scope is named after the scope's folder on disk. */
  const pack = async ({ caller, ...download }: FolderDownload): Promise<RouteResponse> => ({
    kind: 'download',
    ...(await archives.pack({
      ...download,
      storage: caller.storage,
      rootName: nameOf(confinedScope(caller.user.scope) ?? root) || volumeName,
      principal: `user ${caller.user.id}`,
    })),
  })
  const routes = [
    ...downloadRoutes({ pack, remux }),
    ...archiveRoutes({ limiter, chunksFor: archives.chunksFor, openArchive: archives.openArchive, onFault }),
  ]
  const missingFormats = createMissingFormats({ onFault, runtime })
  return {
    ...archives,
    routes,
    missingFormats,
    close: async () => {
      missingFormats.stop()
      await archives.close()
    },
  }
}

function createMissingFormats({
  onFault,
  runtime,
}: Pick<ArchiveModuleDependencies, 'onFault' | 'runtime'>): MissingFormats & { readonly stop: () => void } {
  let known: readonly NativeFormat[] = []
  const end = new AbortController()
  return {
    known: () => known,
    find: async (onFound) => {
      known = await findMissingFormats(end.signal)
      for (const format of known)
        runtime.log(
          `Archives in the format ${format} cannot be used: the package ${nativePackages[format]} is missing or does not run here.`,
        )
      if (known.length > 0) await onFound().catch(onFault)
    },
    stop: () => end.abort(),
  }
}
