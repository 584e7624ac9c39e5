import { getHeapStatistics } from 'node:v8'
import { limits } from '../../shared/domain/limits.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createArchives, type ArchivePacker } from '../archives/archives.ts'
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
}

type ArchiveModuleDependencies = Pick<DownloadDependencies, 'remux'> & {
  /** The name of the served folder on disk. */
  readonly volumeName: string
  readonly onFault: (error: unknown) => void
}

/**
 * Creates the packer of archives for all features that offer folder downloads.
 */
export function composeArchives({ volumeName, onFault, remux }: ArchiveModuleDependencies): ArchiveModule {
  const limiter = createKeyedLimiter(archiveLimits)
  const memory = createArchiveMemory(getHeapStatistics().heap_size_limit)
  const archives = createArchives({ limiter, memory })
  /** Packs a folder for a signed-in user. An archive of the root of the scope is named after the scope's folder on disk. */
  const pack = ({ caller, ...download }: FolderDownload): Promise<RouteResponse> =>
    archives.pack({
      ...download,
      storage: caller.storage,
      rootName: nameOf(confinedScope(caller.user.scope) ?? root) || volumeName,
      principal: `user ${caller.user.id}`,
    })
  const routes = [
    ...downloadRoutes({ pack, remux }),
    ...archiveRoutes({ limiter, chunksFor: archives.chunksFor, openArchive: archives.openArchive, onFault }),
  ]
  return { ...archives, routes }
}
