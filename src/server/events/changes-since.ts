import { nameOf, type Path } from '../../shared/domain/path.ts'
import { foldName } from '../../shared/domain/fold-name.ts'
import type { DiskChange } from './disk-changes.ts'
import type { EntryState } from './entry-state.ts'
import type { VisibleChange } from './visible-change.ts'

/** A path of a change, with its state when the change was about to be sent. Null when the change has no such path. */
export type ReadPath = { readonly path: Path | null; readonly state: EntryState | null }

/**
 * Returns what a client has to learn beside a change, because its entries have changed again before they were read: an
 * entry that was moved away or removed is there again, or a new one is not there any more. The system reports that second
 * change too, but possibly before the first one is sent.
 */
export function changesSince(change: VisibleChange, read: readonly ReadPath[]): readonly DiskChange[] {
  const { kind, path, to } = change
  const stateOf = (wanted: Path): EntryState | null => read.find((one) => one.path === wanted)?.state ?? null
  const expected = kind === 'removed' ? null : (to ?? path)
  const left = kind === 'removed' || (kind === 'moved' && !isSameFolded(path, to)) ? path : null
  const leftState = left === null ? null : stateOf(left)
  return [
    ...(left !== null && leftState?.kind === 'present'
      ? [{ kind: 'created' as const, path: left, row: leftState.row, origin: null }]
      : []),
    ...(expected !== null && stateOf(expected)?.kind === 'gone'
      ? [{ kind: 'removed' as const, path: expected, origin: null }]
      : []),
  ]
}

/** True when a disk that ignores case may find an entry by both paths. */
const isSameFolded = (path: Path, to: Path | undefined): boolean =>
  to !== undefined && foldName(nameOf(path)) === foldName(nameOf(to))
