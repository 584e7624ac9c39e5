import type { Path } from '../../shared/domain/path.ts'
import type { EntryState } from './entry-state.ts'

/** A folder whose changes a client receives: the open folder, and the folders that the sidebar shows. */
export type WatchedFolder = {
  readonly path: Path
  /** True until the client has been told to read the folder again. */
  isNew: boolean
  /** Identifies the folder on disk, or is null while it is not known. */
  key: string | null
  release: () => void
  /** The states that the client knows from messages, by path. A change that leads to the same state is not sent. */
  readonly sent: Map<Path, string>
}

/** When more states than this are stored for a folder, all of them are forgotten, and some changes are sent twice. */
const maxSentStates = 1000

/** Stores what the client knows about a path from now on. */
export function rememberState(folder: WatchedFolder | undefined, path: Path, state: EntryState | null): void {
  if (folder === undefined || state === null || !('state' in state)) return
  if (folder.sent.size >= maxSentStates) folder.sent.clear()
  folder.sent.set(path, state.state)
}
