import { isWithin, type Path } from '../../shared/domain/path.ts'
import { createEvent } from './event.ts'
import { createPersonalStore } from './personal.ts'

/** A change that this tab has made on the server. */
export type EntryChange = {
  /** The path that the entry had before it was renamed, moved or deleted. Null for a new entry. */
  readonly from: Path | null
  /** The path of the entry after it was created, copied, renamed or moved. Null for a deleted entry. */
  readonly to: Path | null
}

/** Happens after the server has confirmed a change that this tab has made. */
export const entryChanged = createEvent<EntryChange>()

/** Returns the path under which an entry is found after a change, which is different after a rename or a move. */
export function pathAfter(path: Path, { from, to }: EntryChange): Path {
  if (from === null || to === null || !isWithin(path, from)) return path
  return `${to}${path.slice(from.length)}` as Path
}

/** The folders beside the open one whose changes the server reports, because the sidebar shows their subfolders. */
export const followedFolders = createPersonalStore<readonly Path[]>([])

/** A change of a followed folder that others have made. `change` is null when anything in it may have changed. */
export type FollowedChange = { readonly folder: Path; readonly change: EntryChange | null }

/** Happens after others have changed the subfolders of a followed folder. */
export const followedFolderChanged = createEvent<FollowedChange>()

/** A change of the open file that others have made. */
export type OpenFileChange = { readonly path: Path; readonly isRemoved: boolean }

/** Happens after others have changed the open file, perhaps only its time. */
export const openFileChanged = createEvent<OpenFileChange>()

/** Happens after others have changed another file in the folder of the open file. */
export const neighboursChanged = createEvent<{ readonly folder: Path }>()
