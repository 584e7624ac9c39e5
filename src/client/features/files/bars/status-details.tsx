import { useSyncExternalStore } from 'react'
import { formatDate, useRelativeTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { useTileZoom } from '../../../listing/view/use-tile-zoom.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { rowsIn } from '../../../state/row-set.ts'
import { useStore } from '../../../state/store.ts'
import { FileName } from '../../../ui/file-name.tsx'
import styles from './status-bar.module.css'

/**
 * Renders the end of the status bar: the exact size and date of the selected row, or of the row with the visible focus
 * while none is selected. Lets the mouse wheel and the keyboard change the size of the gallery's tiles.
 */
export function StatusDetails({ rows, view }: { readonly rows: FolderRows; readonly view: GridView }) {
  const { focusId, chosen } = useStore(folderListing.selection)
  const isFocusShown = useIsRowFocusVisible()
  const [chosenId = -1] = chosen.count === 1 ? rowsIn(chosen) : []
  const namedId = chosen.count === 0 && isFocusShown ? focusId : chosenId
  const entry = rows.entryAt(rows.indexOfId(namedId))
  useTileZoom(folderListing, view === 'gallery' && rows.summary.total > 0)
  return entry === undefined ? null : <EntryFacts entry={entry} />
}

/** Returns true while a row of the folder has the focus and its ring is visible. */
const useIsRowFocusVisible = (): boolean => useSyncExternalStore(subscribeToFocus, isRowFocusVisible)

const isRowFocusVisible = (): boolean =>
  document.activeElement?.matches('[data-part="listing"] [role="row"]:focus-visible') ?? false

/** A key can make the ring of the focused row visible, too. The focus leaves an element before the next one has it. */
function subscribeToFocus(onChange: () => void): () => void {
  const ending = new AbortController()
  const check = (): void => queueMicrotask(onChange)
  for (const event of ['focusin', 'focusout', 'keyup'])
    document.addEventListener(event, check, { signal: ending.signal, passive: true })
  return () => ending.abort()
}

/** Shows values that the columns of the list shorten: the exact number of bytes, and both forms of the date. */
const EntryFacts = ({ entry }: { readonly entry: ListedEntry }) => (
  <div className={styles.facts} data-part="facts">
    <FileName name={entry.name} />
    {!entry.isFolder && <span>{t('prompt.info.bytes', { count: entry.sizeBytes })}</span>}
    <span>{`${useRelativeTime(entry.modifiedMs)} (${formatDate(entry.modifiedMs)})`}</span>
  </div>
)
