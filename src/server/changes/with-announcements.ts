import { codeOf } from '../../shared/domain/failure.ts'
import { joinPaths, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Storage } from '../storage/port.ts'
import type { Announce, Change } from './change.ts'

export type Author = Pick<Change, 'userId' | 'scope' | 'origin'>

export type Announcing = {
  readonly announce: Announce
  readonly author: Author
  readonly nowMs: () => number
}

type Told = Pick<Change, 'kind' | 'path' | 'to' | 'isNew'>

/** A storage that tells of every mutation that succeeded, made folders above it included. A failed one is no change. */
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

  return {
    ...storage,
    async narrow(to) {
      const scope = joinPaths(announcing.author.scope, to.at ?? root) ?? announcing.author.scope
      return withAnnouncements(await storage.narrow(to), {
        ...announcing,
        author: { ...announcing.author, scope },
      })
    },
    write: (path, body, op) =>
      making(op.parents === true ? path : root, () => storage.write(path, body, op), {
        kind: op.overwrite === 'create' ? 'created' : 'written',
        path,
      }),
    begin: (path, op) => making(op.parents === true ? path : root, () => storage.begin(path, op)),
    async commit(session, op) {
      const entry = await storage.commit(session, op)
      tell({ kind: op.overwrite === 'create' ? 'created' : 'written', path: session.path })
      return entry
    },
    async makeFolder(path, op) {
      // One that is there already is no change: nothing was created.
      if (op?.mayExist === true && (await isThere(storage, path))) return storage.makeFolder(path, op)
      return making(op?.parents === true ? path : root, () => storage.makeFolder(path, op), {
        kind: 'created',
        path,
      })
    },
    move: (from, to, op) =>
      making(to, () => storage.move(from, to, op), {
        kind: 'moved',
        path: from,
        to,
        ...novelty(op.overwrite === 'create'),
      }),
    copy: (from, to, op) =>
      making(to, () => storage.copy(from, to, op), {
        kind: 'copied',
        path: from,
        to,
        ...novelty(op.overwrite === 'create'),
      }),
    async remove(path, op) {
      await storage.remove(path, op)
      tell({ kind: 'removed', path })
    },
  }
}

const novelty = (isNew: boolean): Pick<Change, 'isNew'> => (isNew ? { isNew } : {})

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
