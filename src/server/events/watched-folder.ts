import { parentOf, type Path } from '../../shared/domain/path.ts'
import type { ChangedName } from '../storage/folder-watcher.ts'
import type { EntryState } from './entry-state.ts'
import type { EventLimits } from './event-limits.ts'

/** A folder whose changes a client receives: the open folder, and the folders that the sidebar shows. */
export type WatchedFolder = {
  readonly path: Path
  /** True until the client has been told to read the folder again. */
  isNew: boolean
  /** Identifies the folder on disk, or is null while it is not known. */
  key: string | null
  /**
   * The names that the system has reported for the folder on disk with this key, and that wait to be read. `names` is null
   * when anything may have changed.
   */
  reported: ReportedNames | null
  release: () => void
}

type ReportedNames = { readonly key: string | null; readonly names: ReadonlyMap<string, ChangedName> | null }

/** When more names than this wait for a folder, the client reads the whole folder again, which is faster. */
const maxReportedNames = 200

/** Adds names to those that wait to be read. */
export function reportNames(
  folder: WatchedFolder,
  key: string | null,
  names: readonly ChangedName[] | null,
): void {
  const waiting = folder.reported ?? { key, names: new Map<string, ChangedName>() }
  if (names === null || waiting.names === null || waiting.key !== key) {
    folder.reported = { key, names: null }
    return
  }
  const merged = new Map(waiting.names)
  for (const one of names)
    merged.set(one.name, { ...one, hasMoved: one.hasMoved || merged.get(one.name)?.hasMoved === true })
  folder.reported = { key, names: merged.size > maxReportedNames ? null : merged }
}

/** The states that a client knows from messages, by path. A change that leads to the same state is not sent. */
export type SentStates = {
  readonly get: (path: Path) => string | undefined
  /** Stores what the client knows about a path from now on. */
  readonly remember: (path: Path, state: EntryState | null) => void
  /** Forgets the states of the entries of a folder. */
  readonly forget: (folder: Path) => void
  /** Forgets all states, because the client has left. */
  readonly end: () => void
}

const sizeOf = (path: Path, state: string): number => path.length + state.length

type SentLimits = Pick<EventLimits, 'sentCharactersPerClient' | 'sentCharacters'>

/**
 * Creates a function that creates the states of one client. All clients share the limit of their size. Above a limit, the
 * states of the client are forgotten, and some changes are sent twice.
 */
export function createSentStateStores(limits: SentLimits): () => SentStates {
  let charactersOfAll = 0
  return () => {
    const folders = new Map<Path, Map<Path, string>>()
    let characters = 0
    let hasEnded = false
    const count = (change: number): void => {
      characters += change
      charactersOfAll += change
    }
    const fits = (size: number): boolean =>
      characters + size <= limits.sentCharactersPerClient && charactersOfAll + size <= limits.sentCharacters
    return {
      get: (path) => folders.get(parentOf(path))?.get(path),
      remember(path, read) {
        if (hasEnded || read === null || !('state' in read)) return
        const folder = parentOf(path)
        const known = folders.get(folder)?.get(path)
        if (known !== undefined) count(-sizeOf(path, known))
        const size = sizeOf(path, read.state)
        if (!fits(size)) {
          folders.clear()
          count(-characters)
        }
        folders.get(folder)?.delete(path)
        if (!fits(size)) return
        count(size)
        folders.set(folder, (folders.get(folder) ?? new Map<Path, string>()).set(path, read.state))
      },
      forget(folder) {
        for (const [path, state] of folders.get(folder) ?? []) count(-sizeOf(path, state))
        folders.delete(folder)
      },
      end() {
        hasEnded = true
        folders.clear()
        count(-characters)
      },
    }
  }
}
