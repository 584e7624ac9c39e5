import type { ChangeMessage } from '../../../../shared/contract/events.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { type ListedEntry, entryOfRow } from '../../../state/listed-entry.ts'
import type { ReceivedChanges } from './receive-changes.ts'

/** Returns the entry on screen with a name, or undefined. */
export type EntryLookup = (name: string) => ListedEntry | undefined

/** Converts changes to changes of the rows of a folder. Null means that the rows have to be fetched again. */
export function readChanges(
  changes: readonly ChangeMessage[],
  folder: Path,
  entryOf: EntryLookup,
): readonly ReceivedChanges[] | null {
  const received = joinMoves(changes, entryOf).map((change) => receivedOf(change, folder))
  return received.some((one) => one === null) ? null : received.filter((one) => one !== null)
}

function receivedOf({ kind, path, to, row }: ChangeMessage, folder: Path): ReceivedChanges | null {
  const isIn = (changed: string | undefined): changed is string =>
    changed !== undefined && parentOf(changed as Path) === folder
  const entries = row === undefined ? [] : [entryOfRow(row)]
  if (kind === 'removed') return isIn(path) ? { renamed: [], entries, removed: [nameOf(path as Path)] } : null
  if (kind === 'moved' && isIn(path)) {
    const from = nameOf(path as Path)
    return isIn(to)
      ? { renamed: [{ from, to: nameOf(to as Path) }], entries, removed: [] }
      : { renamed: [], entries: [], removed: [from] }
  }
  // The sidebar watches the parent folder, which reports the open folder itself: another folder may be at its path now.
  return row === undefined || !isIn(to ?? path) ? null : { renamed: [], entries, removed: [] }
}

/**
 * Finds the entries that another program has renamed. The server reports such a change as an entry that was removed and
 * an entry that was created, because the disk does not tell more. The two are one entry when no other of these changes
 * concerns them, and when the new one alone has the size and the time of the removed one. A renamed entry keeps its row,
 * and with it the selection and the focus.
 */
function joinMoves(changes: readonly ChangeMessage[], entryOf: EntryLookup): readonly ChangeMessage[] {
  const paths = changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]))
  const isAlone = ({ path }: ChangeMessage): boolean => paths.indexOf(path) === paths.lastIndexOf(path)
  const removed = changes.filter((change) => change.kind === 'removed' && isAlone(change))
  const created = changes.filter(
    (change) => change.kind === 'created' && change.row !== undefined && isAlone(change),
  )
  let joined = changes
  for (const source of removed) {
    const entry = entryOf(nameOf(source.path as Path))
    if (entry === undefined) continue
    const facts = factsOf(entry)
    const [target, ...others] = created.filter(({ row }) => row && factsOf(entryOfRow(row)) === facts)
    const isUnique = removed.every(
      ({ path }) => path === source.path || factsOf(entryOf(nameOf(path as Path))) !== facts,
    )
    if (target === undefined || others.length > 0 || !isUnique) continue
    joined = joined.flatMap((change) =>
      change === source
        ? []
        : change === target
          ? [{ ...target, kind: 'moved', path: source.path, to: target.path }]
          : [change],
    )
  }
  return joined
}

/** Returns a key that is equal for two entries that may be the same entry. */
const factsOf = (entry: ListedEntry | undefined): string =>
  entry === undefined ? '' : `${entry.isFolder} ${entry.isLink} ${entry.sizeBytes} ${entry.modifiedMs}`
