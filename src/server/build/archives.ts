import { limits } from '../../shared/domain/limits.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/door.ts'
import { createTurns } from '../turns/turns.ts'
import { createArchives, type Archives } from '../archives/archives.ts'
import type { FolderAsked } from '../downloads/routes.ts'
import type { Answer } from '../http/route.ts'

/** What one person may have packed at once (security design 3.8). */
const archiveLimits = {
  atOnce: limits.archivesAtOnce,
  mostWaiting: limits.archivesWaiting,
  patienceMs: limits.archivePatienceMs,
}

export type OpenedArchives = Archives & {
  /** A folder of a signed-in person; their root is called what it is called on disk. */
  readonly packFor: (asked: FolderAsked) => Promise<Answer>
}

/** Archives of folders, for everybody who may download. `volumeName`: the real name of the served folder. */
export function openArchives(volumeName: string): OpenedArchives {
  const archives = createArchives(createTurns(archiveLimits))
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
