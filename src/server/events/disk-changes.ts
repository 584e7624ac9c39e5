import type { ChangeMessage } from '../../shared/contract/events.ts'
import { childOf, type Path } from '../../shared/domain/path.ts'
import type { ChangedName } from '../storage/folder-watcher.ts'
import type { Storage } from '../storage/port.ts'
import { readEntryState, type EntryState, type FileTypeReader } from './entry-state.ts'
import type { SentStates } from './watched-folder.ts'

/** A change before it is sent to a client. */
export type DiskChange = Omit<ChangeMessage, 'id'>

/**
 * The maximum number of entries that are sent one by one. Reading a folder again costs a client less than this number of
 * changes.
 */
const maxChanges = 50
/** The number of entries that are read from the disk at the same time for one client. */
const maxConcurrentReads = 8

/** The folder whose entries may have changed, and the states that the client knows. */
type ChangedFolder = { readonly path: Path; readonly sent: SentStates }

/**
 * Reads the entries that may have changed, and returns the changes that the user may see and does not know yet. Returns
 * null when the client should read the whole folder again.
 */
export async function readDiskChanges(
  { typeOf }: { readonly typeOf: FileTypeReader },
  storage: Storage,
  { folder, names }: { readonly folder: ChangedFolder; readonly names: readonly ChangedName[] },
): Promise<readonly DiskChange[] | null> {
  const changes: DiskChange[] = []
  for (let from = 0; from < names.length; from += maxConcurrentReads) {
    const read = await Promise.all(
      names.slice(from, from + maxConcurrentReads).map(async ({ name, hasMoved }) => {
        const path = childOf(folder.path, name)
        return path === null ? null : { path, hasMoved, state: await readEntryState(storage, path, typeOf) }
      }),
    )
    if (read.some((entry) => entry?.state.kind === 'unknown')) return null
    for (const entry of read) if (entry !== null) changes.push(...changeOf(folder, entry))
    if (changes.length > maxChanges) return null
  }
  return changes
}

type ReadEntry = { readonly path: Path; readonly hasMoved: boolean; readonly state: EntryState }

function changeOf({ sent }: ChangedFolder, { path, hasMoved, state }: ReadEntry): readonly DiskChange[] {
  const known = sent.get(path)
  if (!('state' in state) || state.state === known) return []
  if (state.kind === 'gone' && !hasMoved) return []
  sent.remember(path, state)
  if (state.kind === 'gone') return [{ kind: 'removed', path, origin: null }]
  const isNew = known === undefined || known === 'gone'
  return [{ kind: isNew ? 'created' : 'written', path, row: state.row, origin: null }]
}
