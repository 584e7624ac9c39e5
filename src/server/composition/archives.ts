import { limits } from '../../shared/domain/limits.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/caller-factory.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createArchives, type ArchivePacker } from '../archives/archives.ts'
import type { FolderDownload } from '../downloads/routes.ts'
import type { RouteResponse } from '../http/route.ts'

/** Limits of concurrent and queued archive downloads, counted separately for each user (security design 3.8). */
const archiveLimits = {
  maxConcurrent: limits.archivesAtOnce,
  maxQueued: limits.archivesWaiting,
  maxWaitMs: limits.archivePatienceMs,
}

/** The archive downloads of guests, extended by the archive downloads of signed-in users. */
export type UserArchives = ArchivePacker & {
  /** Packs a folder for a signed-in user. The root of their scope gets the name of the folder on disk. */
  readonly packFor: (asked: FolderDownload) => Promise<RouteResponse>
}

/**
 * Creates the archive downloads that all features with folder downloads share. `volumeName` is the real name of the
 * served folder.
 */
export function composeArchives(volumeName: string): UserArchives {
  const archives = createArchives(createKeyedLimiter(archiveLimits))
  return {
    ...archives,
    packFor: ({ caller, ...asked }) =>
      archives.pack({
        ...asked,
        storage: caller.storage,
        rootName: nameOf(confinedScope(caller.user.scope) ?? root) || volumeName,
        principal: `user ${caller.user.id}`,
      }),
  }
}
