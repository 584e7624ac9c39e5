import type { Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'

/** The entries that a drag takes along. */
export type DraggedEntries = {
  /**
   * The folder that contained the entries when the drag began. The drag may have opened other folders since. Results of a
   * search that are in several folders have a folder of their own.
   */
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
}
