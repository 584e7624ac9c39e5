import type { RefObject } from 'react'
import { formatDate, formatSize, useRelativeTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { selection } from '../../../state/selection.ts'
import { useStore } from '../../../state/store.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { TileSizeSlider } from './tile-size-slider.tsx'
import styles from './status-bar.module.css'

type StatusDetailsProps = {
  readonly rows: FolderRows
  readonly view: GridView
  readonly grid: RefObject<GridHandle | null>
}

/**
 * Renders the end of the status bar: the exact size and date of the focused row unless several rows are selected, and
 * the size of the gallery's tiles.
 */
export function StatusDetails({ rows, view, grid }: StatusDetailsProps) {
  const { focusId, chosen } = useStore(selection)
  const entry = chosen.count > 1 ? undefined : rows.entryAt(rows.indexOfId(focusId))
  return (
    <>
      {entry !== undefined && <EntryFacts entry={entry} />}
      {view === 'gallery' && rows.summary.total > 0 && <TileSizeSlider grid={grid} />}
    </>
  )
}

/** Shows values that the columns of the list shorten: the exact number of bytes, and both forms of the date. */
const EntryFacts = ({ entry }: { readonly entry: ListedEntry }) => (
  <div className={styles.facts} data-part="facts">
    <FileName name={entry.name} />
    {!entry.isFolder && <span>{exactSize(entry.sizeBytes)}</span>}
    <span>{`${useRelativeTime(entry.modifiedMs)} (${formatDate(entry.modifiedMs)})`}</span>
  </div>
)

/** Formats a size in bytes. A size below 1 KB has the same form as in the list, which shows it exactly. */
const exactSize = (sizeBytes: number): string =>
  sizeBytes < 1024 ? formatSize(sizeBytes) : t('prompt.info.bytes', { count: sizeBytes })
