import { joinPaths, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type {
  CommitOptions,
  IntendedChange,
  OperationOptions,
  OverwriteMode,
  Storage,
} from '../storage/port.ts'
import { isMissing } from '../storage/stat-or-null.ts'
import type { ChangePublisher, ChangeAuthor, ChangeHookFinder, StorageChange } from './change.ts'

export type AnnouncementDependencies = {
  readonly announce: ChangePublisher
  /** Resolves when the listeners have processed all changes announced so far. */
  readonly settled: () => Promise<void>
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

/** The description of a change that the storage checks, with the abort signal of the request. */
type CheckedChange = IntendedChange & OperationOptions

/** The fields of a change that depend on the operation. */
type AnnouncedChange = Pick<StorageChange, 'kind' | 'path' | 'to' | 'isNew'>

/**
 * A change that is about to be made: its announcement, its description for the storage's checks, and the parent folders
 * that the change creates. The change may create missing folders above the path `makesAbove`. `made` lists the created
 * folders that the storage has reported. A change that `rechecksItself` calls `recheck` when its bytes have arrived.
 */
type PlannedMutation = {
  readonly announced: AnnouncedChange
  readonly intended: CheckedChange
  readonly makesAbove?: Path
  readonly made?: readonly Path[]
  readonly rechecksItself?: boolean
  /** True for the removal of what the caller has just created. Neither a hook nor lost rights keep it. */
  readonly undoes?: boolean
}

/**
 * Wraps a storage so that every successful change is announced, including the parent folders that it created. A failed
 * change is not announced. Hooks that run before a change are called after the storage has checked the change.
 */
export function withAnnouncements(storage: Storage, dependencies: AnnouncementDependencies): Storage {
  const { mutateWithFolders, mutate } = createMutationRunner(storage, dependencies)
  /** Checks the rights of the caller, and then what the caller of this storage wants to check. */
  const withRecheck = ({ beforeCommit }: CommitOptions): Required<CommitOptions> => ({
    async beforeCommit(placement) {
      await dependencies.recheck('write')
      await beforeCommit?.(placement)
    },
  })
  return {
    ...storage,
    async narrow(to) {
      const scope = joinPaths(dependencies.author.scope, to.at ?? root) ?? dependencies.author.scope
      return withAnnouncements(await storage.narrow(to), {
        ...dependencies,
        author: { ...dependencies.author, scope },
      })
    },
    write(path, body, options) {
      const { overwrite, sizeBytes, ifMatch, parents, signal } = options
      const intended: CheckedChange = { kind: 'write', path, overwrite, sizeBytes, ifMatch, parents, signal }
      const made: Path[] = []
      const onFolder = (folder: Path): void => void made.push(folder)
      const announced: AnnouncedChange = { kind: changeKindOf(options), path }
      return mutate({ announced, intended, made, rechecksItself: true }, () =>
        storage.write(path, body, { ...options, onFolder, ...withRecheck(options) }),
      )
    },
    begin: (path, options) =>
      mutateWithFolders(options.parents === true ? path : root, () => storage.begin(path, options)),
    commit(session, options) {
      const { path } = session
      const announced: AnnouncedChange = { kind: changeKindOf(options), path }
      const intended: CheckedChange = { kind: 'write', path, ...options }
      return mutate({ announced, intended, rechecksItself: true }, () =>
        storage.commit(session, { ...options, ...withRecheck(options) }),
      )
    },
    move(path, to, options) {
      const announced: AnnouncedChange = { kind: 'moved', path, to, ...isNewField(options) }
      const intended: CheckedChange = { kind: 'move', path, to, ...options }
      return mutate({ announced, intended, makesAbove: to }, () => storage.move(path, to, options))
    },
    copy(path, to, options) {
      const announced: AnnouncedChange = { kind: 'copied', path, to, ...isNewField(options) }
      const intended: CheckedChange = { kind: 'copy', path, to, ...options }
      return mutate({ announced, intended, makesAbove: to }, () => storage.copy(path, to, options))
    },
    ...folderMethods(storage, dependencies),
    remove(path, options) {
      const intended: CheckedChange = { kind: 'remove', path, ...options }
      const { undoes = false } = options
      return mutate({ announced: { kind: 'removed', path }, intended, undoes }, () =>
        storage.remove(path, options),
      )
    },
  }
}

/** Returns the methods that change folders only. */
function folderMethods(
  storage: Storage,
  dependencies: AnnouncementDependencies,
): Pick<Storage, 'makeFolder' | 'setFolderTime'> {
  const { mutate, announceFolders } = createMutationRunner(storage, dependencies)
  return {
    async makeFolder(path, options) {
      // A folder that already exists is not announced, because it was not created.
      if (options?.mayExist === true && !(await isMissing(storage, path)))
        return storage.makeFolder(path, options)
      const intended: CheckedChange = { kind: 'makeFolder', path, ...options }
      const above = options?.parents === true ? { makesAbove: path } : {}
      return mutate({ announced: { kind: 'created', path }, intended, ...above }, () =>
        storage.makeFolder(path, options),
      )
    },
    async setFolderTime(path, options) {
      await dependencies.recheck('makeFolder')
      await storage.setFolderTime(path, options)
      // Clients show the time of the folder, which the caller has just created.
      announceFolders([path])
    },
  }
}

function createMutationRunner(storage: Storage, dependencies: AnnouncementDependencies) {
  const announce = (announced: AnnouncedChange): void =>
    dependencies.announce({ ...announced, ...dependencies.author, atMs: dependencies.nowMs() })

  const announceFolders = (folders: readonly Path[]): void => {
    for (const path of folders) announce({ kind: 'created', path })
  }

  /** Runs a change that may create missing folders above `path`, and announces the created folders. */
  async function mutateWithFolders<T>(path: Path, run: () => Promise<T>): Promise<T> {
    const missing = await missingAbove(storage, path)
    const result = await run()
    announceFolders(missing)
    return result
  }

  /** Runs a change together with its hooks, and announces it. */
  async function mutate<T>(
    {
      announced,
      intended,
      makesAbove = root,
      made = [],
      rechecksItself = false,
      undoes = false,
    }: PlannedMutation,
    run: () => Promise<T>,
  ): Promise<T> {
    const { signal } = intended
    const { before, after } = await dependencies.findHooks({ ...announced, ...dependencies.author })
    if (before !== null && !undoes) {
      await storage.check(intended, { signal })
      await before(signal)
    }
    if (!undoes && (before !== null || !rechecksItself)) await dependencies.recheck(intended.kind)
    const result = await mutateWithFolders(makesAbove, run)
    announceFolders(made)
    announce(announced)
    await dependencies.settled()
    await after?.()
    return result
  }

  return { mutateWithFolders, mutate, announceFolders }
}

type OverwriteOption = { readonly overwrite: OverwriteMode }

const changeKindOf = ({ overwrite }: OverwriteOption): StorageChange['kind'] =>
  overwrite === 'create' ? 'created' : 'written'

const isNewField = ({ overwrite }: OverwriteOption): Pick<StorageChange, 'isNew'> =>
  overwrite === 'create' ? { isNew: true } : {}

/**
 * Returns the missing folders above a path, starting with the topmost folder. A folder that cannot be inspected counts
 * as existing.
 */
async function missingAbove(storage: Storage, path: Path): Promise<Path[]> {
  const missing: Path[] = []
  for (let folder = parentOf(path); folder !== root; folder = parentOf(folder)) {
    if (!(await isMissing(storage, folder))) break
    missing.unshift(folder)
  }
  return missing
}
