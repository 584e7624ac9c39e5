import { randomUUID } from 'node:crypto'
import { joinPaths, root, type Path } from '../../shared/domain/path.ts'
import type {
  Change,
  ChangeHandlers,
  CommitOptions,
  IntendedChange,
  OverwriteMode,
} from '../storage/change.ts'
import { refuseNothing, type CheckedStorage, type NextHandler, type Policy } from '../storage/policy.ts'
import { isMissing } from '../storage/stat-or-null.ts'
import type {
  ChangePublisher,
  ChangeAuthor,
  ChangeHookFinder,
  ChangeOutcome,
  StorageChange,
} from './change.ts'

export type AnnouncementDependencies = {
  readonly announce: ChangePublisher
  readonly findHooks: ChangeHookFinder
  /**
   * Throws if the caller no longer has the access with which the request began: the session has ended, or a permission,
   * the scope, a rule or the quota was taken away. Each change is checked in the moment before it is made: the bytes of
   * a file, or a hook that runs before a change, may take long to arrive or to end.
   */
  readonly recheck: (kind: IntendedChange['kind']) => Promise<void>
  readonly author: ChangeAuthor
  readonly nowMs: () => number
}

/** The fields of an announcement that depend on the change. */
type AnnouncedChange = Pick<StorageChange, 'kind' | 'path' | 'to' | 'isNew'>

/**
 * A change that is about to be made: its announcement, and its description for the storage's checks. A change that
 * `rechecksItself` calls `recheck` when its bytes have arrived.
 */
type PlannedChange<Result> = {
  readonly announced: AnnouncedChange
  readonly intended: IntendedChange
  readonly make: () => Promise<Result>
  readonly rechecksItself?: boolean
  /** True for the removal of what the caller has just created. Neither a hook nor lost rights keep it. */
  readonly undoes?: boolean
}

/**
 * The policy that every successful change is announced, including the folders that it created. A failed change is not
 * announced. Hooks that run before a change are called after the storage has checked the change. A change resolves when
 * the listeners have processed its announcement.
 */
export const announcementPolicy = (dependencies: AnnouncementDependencies): Policy => ({
  narrowed(to) {
    const scope = joinPaths(dependencies.author.scope, to.at ?? root) ?? dependencies.author.scope
    return announcementPolicy({ ...dependencies, author: { ...dependencies.author, scope } })
  },
  // Hooks run only before a change that is made, and lost rights are noticed in the moment before it.
  check: refuseNothing,
  handlers: (next, storage) => ({
    ...receivingHandlers(next, storage, dependencies),
    ...entryHandlers(next, storage, dependencies),
  }),
})

type ReceivingKind = 'write' | 'begin' | 'put' | 'commit' | 'abort'

/** Returns the handlers of the changes that receive files. */
function receivingHandlers(
  next: NextHandler,
  storage: CheckedStorage,
  dependencies: AnnouncementDependencies,
): Pick<ChangeHandlers, ReceivingKind> {
  const { announcing, announceFolders } = createChangeMaker(storage, dependencies)
  /** Checks the rights of the caller, and then what the caller of this storage wants to check. */
  const withRecheck = ({ beforeCommit }: CommitOptions): Required<CommitOptions> => ({
    async beforeCommit(placement) {
      await dependencies.recheck('write')
      await beforeCommit?.(placement)
    },
  })
  return {
    write: announcing((change) => ({
      announced: { kind: kindOfWrite(change), path: change.path },
      intended: change,
      rechecksItself: true,
      make: () => next('write')({ ...change, ...withRecheck(change) }),
    })),
    async begin(change) {
      const upload = await next('begin')(change)
      await announceFolders(upload.madeFolders)
      return upload
    },
    put: next('put'),
    commit: announcing((change) => ({
      announced: { kind: kindOfWrite(change), path: change.upload.path },
      intended: {
        kind: 'write',
        path: change.upload.path,
        overwrite: change.overwrite,
        signal: change.signal,
      },
      rechecksItself: true,
      make: () => next('commit')({ ...change, ...withRecheck(change) }),
    })),
    abort: next('abort'),
  }
}

/** Returns the handlers of the changes of entries that exist, and of new folders. */
function entryHandlers(
  next: NextHandler,
  storage: CheckedStorage,
  dependencies: AnnouncementDependencies,
): Omit<ChangeHandlers, ReceivingKind> {
  const { announcing, announce } = createChangeMaker(storage, dependencies)
  const remove = announcing((change: Change<'remove'>) => ({
    announced: { kind: 'removed', path: change.path },
    intended: change,
    undoes: change.undoes === true,
    make: async () => {
      await next('remove')(change)
      return {}
    },
  }))
  const makeFolder = announcing((change: Change<'makeFolder'>) => ({
    announced: { kind: 'created', path: change.path },
    intended: change,
    make: () => next('makeFolder')(change),
  }))
  return {
    move: announcing((change) => ({
      announced: { kind: 'moved', path: change.path, to: change.to, ...isNewField(change) },
      intended: change,
      make: () => next('move')(change),
    })),
    copy: announcing((change) => ({
      announced: { kind: 'copied', path: change.path, to: change.to, ...isNewField(change) },
      intended: change,
      make: () => next('copy')(change),
    })),
    async remove(change) {
      await remove(change)
    },
    async makeFolder(change) {
      // A folder that already exists is not announced, because it was not created.
      const isThere = change.mayExist === true && !(await isMissing(storage, change.path))
      return isThere ? next('makeFolder')(change) : makeFolder(change)
    },
    async setFolderTime(change) {
      await dependencies.recheck('makeFolder')
      await next('setFolderTime')(change)
      // Clients show the time of the folder. It may have been shared since the caller created it.
      await announce({ kind: 'written', path: change.path })
    },
  }
}

function createChangeMaker(storage: CheckedStorage, dependencies: AnnouncementDependencies) {
  const announce = (announced: AnnouncedChange, outcome: ChangeOutcome = {}): Promise<void> =>
    dependencies.announce({
      ...announced,
      ...outcome,
      ...dependencies.author,
      id: randomUUID(),
      atMs: dependencies.nowMs(),
    })

  async function announceFolders(folders: readonly Path[] = []): Promise<void> {
    await Promise.all(folders.map((path) => announce({ kind: 'created', path })))
  }

  /** Returns a handler that makes a change as `plan` describes it, together with its hooks, and announces it. */
  const announcing =
    <Given, Result extends ChangeOutcome>(plan: (change: Given) => PlannedChange<Result>) =>
    async (change: Given): Promise<Result> => {
      const { announced, intended, make, rechecksItself = false, undoes = false } = plan(change)
      const { before, after } = await dependencies.findHooks({ ...announced, ...dependencies.author })
      if (before !== null && !undoes) {
        await storage.check(intended)
        await before(intended.signal)
      }
      if (!undoes && (before !== null || !rechecksItself)) await dependencies.recheck(intended.kind)
      const result = await make()
      // A created folder is the last of the folders that its change has created.
      const above = result.madeFolders?.filter((folder) => folder !== announced.path)
      await Promise.all([announceFolders(above), announce(announced, outcomeOf(result))])
      await after?.()
      return result
    }

  return { announcing, announce, announceFolders }
}

/** Returns what listeners learn about the result of a change. */
const outcomeOf = ({ etag, madeFolders, losses, replaced }: ChangeOutcome): ChangeOutcome => ({
  ...(etag !== undefined && { etag }),
  ...(madeFolders && { madeFolders }),
  ...(losses && { losses }),
  ...(replaced && { replaced }),
})

type OverwriteOption = { readonly overwrite: OverwriteMode }

const kindOfWrite = ({ overwrite }: OverwriteOption): StorageChange['kind'] =>
  overwrite === 'create' ? 'created' : 'written'

const isNewField = ({ overwrite }: OverwriteOption): Pick<StorageChange, 'isNew'> =>
  overwrite === 'create' ? { isNew: true } : {}
