import { codeOf } from '../../shared/domain/failure.ts'
import { joinPaths, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Meant, Op, Overwrite, Storage } from '../storage/port.ts'
import type { Announce, Author, Bracketing, Change } from './change.ts'

export type Announcing = {
  readonly announce: Announce
  /** Resolves when everybody is done with what was announced. */
  readonly settled: () => Promise<void>
  readonly bracket: Bracketing
  /** Throws where the caller would not be let in any more as they were: what comes before a change may take long. */
  readonly recheck: () => Promise<void>
  readonly author: Author
  readonly nowMs: () => number
}

type Told = Pick<Change, 'kind' | 'path' | 'to' | 'isNew'>

/**
 * A mutation on its way: what is told of it, how the storage judges it, and the path above which it may make folders, or
 * those that it has made when it is done.
 */
type Doing = {
  readonly told: Told
  readonly meant: Meant & Op
  readonly makesAbove?: Path
  readonly made?: readonly Path[]
}

/**
 * A storage that tells of every mutation that succeeded, made folders above it included. A failed one is no change. Who has a say is
 * asked before each, when all that could refuse it has been asked.
 */
export function withAnnouncements(storage: Storage, announcing: Announcing): Storage {
  const { making, doing } = createTeller(storage, announcing)
  return {
    ...storage,
    async narrow(to) {
      const scope = joinPaths(announcing.author.scope, to.at ?? root) ?? announcing.author.scope
      return withAnnouncements(await storage.narrow(to), {
        ...announcing,
        author: { ...announcing.author, scope },
      })
    },
    write(path, body, op) {
      const { overwrite, sizeBytes, ifMatch, parents, signal } = op
      const meant: Meant & Op = { kind: 'write', path, overwrite, sizeBytes, ifMatch, parents, signal }
      const made: Path[] = []
      const onFolder = (folder: Path): void => void made.push(folder)
      const told: Told = { kind: kindOf(op), path }
      return doing({ told, meant, made }, () => storage.write(path, body, { ...op, onFolder }))
    },
    begin: (path, op) => making(op.parents === true ? path : root, () => storage.begin(path, op)),
    commit(session, op) {
      const { path } = session
      const told: Told = { kind: kindOf(op), path }
      return doing({ told, meant: { kind: 'write', path, ...op } }, () => storage.commit(session, op))
    },
    async makeFolder(path, op) {
      // One that is there already is no change: nothing was created.
      if (op?.mayExist === true && (await isThere(storage, path))) return storage.makeFolder(path, op)
      const meant: Meant & Op = { kind: 'makeFolder', path, ...op }
      const above = op?.parents === true ? { makesAbove: path } : {}
      return doing({ told: { kind: 'created', path }, meant, ...above }, () => storage.makeFolder(path, op))
    },
    move(path, to, op) {
      const told: Told = { kind: 'moved', path, to, ...novelty(op) }
      const meant: Meant & Op = { kind: 'move', path, to, ...op }
      return doing({ told, meant, makesAbove: to }, () => storage.move(path, to, op))
    },
    copy(path, to, op) {
      const told: Told = { kind: 'copied', path, to, ...novelty(op) }
      const meant: Meant & Op = { kind: 'copy', path, to, ...op }
      return doing({ told, meant, makesAbove: to }, () => storage.copy(path, to, op))
    },
    remove(path, op) {
      const meant: Meant & Op = { kind: 'remove', path, ...op }
      return doing({ told: { kind: 'removed', path }, meant }, () => storage.remove(path, op))
    },
  }
}

function createTeller(storage: Storage, announcing: Announcing) {
  const tell = (told: Told): void =>
    announcing.announce({ ...told, ...announcing.author, atMs: announcing.nowMs() })

  const tellFolders = (folders: readonly Path[]): void => {
    for (const path of folders) tell({ kind: 'created', path })
  }

  /** Runs a mutation that may make the folders above `path`, and tells of those. */
  async function making<T>(path: Path, mutate: () => Promise<T>): Promise<T> {
    const missing = await missingAbove(storage, path)
    const result = await mutate()
    tellFolders(missing)
    return result
  }

  /** Runs a mutation between what comes before and after it. */
  async function doing<T>(
    { told, meant, makesAbove = root, made = [] }: Doing,
    mutate: () => Promise<T>,
  ): Promise<T> {
    const { signal } = meant
    const { before, after } = await announcing.bracket({ ...told, ...announcing.author })
    if (before !== null) {
      await storage.check(meant, { signal })
      await before(signal)
      await announcing.recheck()
    }
    const result = await making(makesAbove, mutate)
    tellFolders(made)
    tell(told)
    await announcing.settled()
    await after?.()
    return result
  }

  return { making, doing }
}

type Overwriting = { readonly overwrite: Overwrite }

const kindOf = ({ overwrite }: Overwriting): Change['kind'] =>
  overwrite === 'create' ? 'created' : 'written'

const novelty = ({ overwrite }: Overwriting): Pick<Change, 'isNew'> =>
  overwrite === 'create' ? { isNew: true } : {}

/** The folders above a path that are not there, the topmost first. What cannot be looked at counts as there. */
async function missingAbove(storage: Storage, path: Path): Promise<Path[]> {
  const missing: Path[] = []
  for (let folder = parentOf(path); folder !== root; folder = parentOf(folder)) {
    if (await isThere(storage, folder)) break
    missing.unshift(folder)
  }
  return missing
}

const isThere = (storage: Storage, path: Path): Promise<boolean> =>
  storage.stat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'not-found',
  )
