import type { ListingRow } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { FileType } from '../../shared/domain/file-types.ts'
import { nameOf, type Path } from '../../shared/domain/path.ts'
import { entryFlag, type Storage } from '../storage/port.ts'

/** Determines the type of a file as the listing of its folder does. */
export type FileTypeReader = (
  storage: Storage,
  file: { readonly path: Path; readonly entry: Entry },
) => Promise<FileType>

/**
 * The state of a path as far as a user may know it: `denied`, `gone`, the row of the entry, or `unknown` when the disk does not
 * answer. `state` is a text that is different after the entry has changed in a way that its row shows.
 */
export type EntryState =
  | { readonly kind: 'denied' | 'unknown' }
  | { readonly kind: 'gone'; readonly state: string }
  | { readonly kind: 'present'; readonly state: string; readonly row: ListingRow }

const gone: EntryState = { kind: 'gone', state: 'gone' }

/** Reads the state of an entry. Whether a denied entry exists has no influence on the result. */
export async function readEntryState(
  storage: Storage,
  path: Path,
  typeOf: FileTypeReader,
): Promise<EntryState> {
  try {
    const entry = await storage.stat(path)
    const row = rowOf(entry, path, await typeAt(storage, { path, entry }, typeOf))
    // The time of a folder is not part of its state, because every change inside the folder sets it.
    return { kind: 'present', row, state: isFolder(entry) ? `folder ${row[4]}` : JSON.stringify(row) }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'forbidden') return { kind: 'denied' }
    return code === 'not-found' || code === 'not-a-folder' ? gone : { kind: 'unknown' }
  }
}

async function typeAt(
  storage: Storage,
  file: { readonly path: Path; readonly entry: Entry },
  typeOf: FileTypeReader,
): Promise<FileType> {
  const { entry } = file
  if (isFolder(entry)) return ''
  if (entry.target?.kind === 'missing') return 'invalid_link'
  return (entry.target?.kind ?? entry.kind) === 'file' ? typeOf(storage, file) : 'blob'
}

/** Returns the row of an entry. The size and the time of a link are those of its target, unless the link is broken. */
function rowOf(entry: Entry, path: Path, type: FileType): ListingRow {
  const isBroken = entry.target?.kind === 'missing'
  const shown = entry.target === undefined || isBroken ? entry : entry.target
  const flags =
    (isFolder(entry) ? entryFlag.folder : 0) +
    (entry.kind === 'link' ? entryFlag.link : 0) +
    (isBroken ? entryFlag.broken : 0) +
    (shown.kind === 'other' ? entryFlag.special : 0)
  return [nameOf(path), shown.sizeBytes, Math.floor(shown.modifiedMs), type, flags]
}
