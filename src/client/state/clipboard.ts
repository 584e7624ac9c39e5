import type { Path } from '../../shared/domain/path.ts'
import { keyOfEntry, type ListedEntry } from './listed-entry.ts'
import { createPersonalStore } from './personal.ts'

/** Entries that the user has cut (`move`) or copied (`copy`), and the folder that contains them. */
export type ClipboardContent = {
  readonly verb: 'move' | 'copy'
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
}

/** The clipboard for entries. It keeps its content while the user navigates. Null while it is empty. */
export const clipboard = createPersonalStore<ClipboardContent | null>(null)

export const clearClipboard = (): void => clipboard.set(null)

/** Returns the keys of the entries that were cut. Their rows are shown dimmed until they are pasted. */
export const cutKeysOf = (content: ClipboardContent | null): ReadonlySet<string> =>
  new Set(content?.verb === 'move' ? content.entries.map((entry) => keyOfEntry(entry, content.folder)) : [])
