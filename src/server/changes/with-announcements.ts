import { codeOf } from '../../shared/domain/failure.ts'
import { joinPaths, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Meant, Op, Overwrite, Storage } from '../storage/port.ts'
import type { Announce, Author, Bracketing, Change } from './change.ts'

export type Announcing = {
  readonly announce: Announce
  readonly bracket: Bracketing
  /** Throws where the caller would not be let in any more as they were: what comes before a change may take long. */
  readonly recheck: () => Promise<void>
  readonly author: Author
  readonly nowMs: () => number
}

type Told = Pick<Change, 'kind' | 'path' | 'to' | 'isNew'>

/**
 * A storage that tells of every mutation that succeeded, made folders above it included. A failed one is no change. Who has a say is
 * asked before each, when all that could refuse it has been asked.
 */
export function withAnnouncements(storage: Storage, announcing: Announcing): Storage {
  const tell = (told: Told): void =>
    announcing.announce({ ...told, ...announcing.author, atMs: announcing.nowMs() })

  /** Runs a mutation that may make the folders above `path`, and tells of those first. Without a word it is none by itself yet. */
  async function making<T>(path: Path, mutate: () => Promise<T>, told?: Told): Promise<T> {
    const missing = await missingAbove(storage, path)
    const result = await mutate()
    for (const folder of missing) tell({ kind: 'created', path: folder })
    if (told !== undefined) tell(told)
    return result
  }

  /** Runs a mutation between what comes before and after it. */
  async function between<T>(told: Told, meant: Meant & Op, mutate: () => Promise<T>): Promise<T> {
    const { signal } = meant
    const { before, after } = await announcing.bracket({ ...told, ...announcing.author })
    if (before !== null) {
      await storage.check(meant, { signal })
      await before(signal)
      await announcing.recheck()
    }
    const result = await mutate()
    await after?.()
    return result
  }

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
      const told: Told = { kind: kindOf(overwrite), path }
      const meant: Meant & Op = { kind: 'write', path, overwrite, sizeBytes, ifMatch, parents, signal }
      return between(told, meant, () =>
        making(parents === true ? path : root, () => storage.write(path, body, op), told),
      )
    },
    begin: (path, op) => making(op.parents === true ? path : root, () => storage.begin(path, op)),
    commit(session, op) {
      const { path } = session
      const told: Told = { kind: kindOf(op.overwrite), path }
      return between(told, { kind: 'write', path, ...op }, () =>
        making(root, () => storage.commit(session, op), told),
      )
    },
    async makeFolder(path, op) {
      // One that is there already is no change: nothing was created.
      if (op?.mayExist === true && (await isThere(storage, path))) return storage.makeFolder(path, op)
      const told: Told = { kind: 'created', path }
      return between(told, { kind: 'makeFolder', path, ...op }, () =>
        making(op?.parents === true ? path : root, () => storage.makeFolder(path, op), told),
      )
    },
    move: (path, to, op) =>
      between({ kind: 'moved', path, to }, { kind: 'move', path, to, ...op }, () =>
        making(to, () => storage.move(path, to, op), { kind: 'moved', path, to, ...novelty(op) }),
      ),
    copy: (path, to, op) =>
      between({ kind: 'copied', path, to }, { kind: 'copy', path, to, ...op }, () =>
        making(to, () => storage.copy(path, to, op), { kind: 'copied', path, to, ...novelty(op) }),
      ),
    remove: (path, op) =>
      between({ kind: 'removed', path }, { kind: 'remove', path, ...op }, () =>
        making(root, () => storage.remove(path, op), { kind: 'removed', path }),
      ),
  }
}

type Overwriting = { readonly overwrite: Overwrite }

const kindOf = (overwrite: Overwrite): Change['kind'] => (overwrite === 'create' ? 'created' : 'written')

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
