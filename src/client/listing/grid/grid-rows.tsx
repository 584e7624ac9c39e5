import type { PreviewSize } from '../../../shared/contract/previews.ts'
import { t } from '../../i18n/translate.ts'
import { keyOfEntry, type ListedEntry } from '../../state/listed-entry.ts'
import { isChosen, type Selection } from '../../state/selection.ts'
import { clipboard, cutKeysOf } from '../../state/clipboard.ts'
import { useStore } from '../../state/store.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { kindWord } from '../../ui/kinds/kind-word.ts'
import { listingAfterRows } from '../parts/load-after-rows.ts'
import { columnOf, type GridGeometry, type RowRange, topOf } from './geometry.ts'
import { GridRow } from './grid-row.tsx'
import type { FolderCoverPart } from '../covers/folder-cover-part.ts'
import type { Listing } from './listing.ts'
import type { GridView } from './grid-view.ts'
import type { PlaceColumn } from './place-column.ts'
import type { GridMetrics } from './use-grid-metrics.ts'
import styles from './grid.module.css'

type GridRowsProps = {
  readonly listing: Listing
  readonly rows: FolderRows
  readonly selection: Selection
  readonly view: GridView
  readonly geometry: GridGeometry
  readonly metrics: GridMetrics
  /** The rows that are visible or close to the visible part of the content. */
  readonly range: RowRange
  /** The number of pixels to subtract from a row's distance to the start of the content. */
  readonly offset: number
  readonly focusedIndex: number
  readonly tabStop: number
  readonly headerRows: number
  readonly hasExactDates: boolean
  readonly hrefOf: (entry: ListedEntry) => string
  readonly thumbnailOf: (entry: ListedEntry, size: PreviewSize) => string
  readonly place: PlaceColumn | undefined
  readonly cover: FolderCoverPart | undefined
}

/** Renders the rows of the range. A row that the server has announced but not sent yet is rendered as a placeholder. */
export function GridRows({
  listing,
  rows,
  selection,
  view,
  geometry,
  metrics,
  range,
  offset,
  focusedIndex,
  tabStop,
  headerRows,
  hasExactDates,
  hrefOf,
  thumbnailOf,
  place,
  cover,
}: GridRowsProps) {
  const { folder } = selection
  const cutKeys = cutKeysOf(useStore(clipboard))
  const badges = useStore(listing.badges)
  const edited = useStore(listing.edited)
  const fresh = useStore(listing.newRows)
  const failures = useStore(listing.failures)
  const filter = useStore(listing.filter)
  const wordOf = listingAfterRows.useModule()?.formatWord ?? kindWord
  return renderedIndexes(range, focusedIndex).map((index) => {
    const entry = rows.entryAt(index)
    const top = topOf(geometry, index) - offset
    if (entry === undefined) return <PlaceholderRow key={`…${index}`} index={index} top={top} />
    const key = keyOfEntry(entry, folder)
    const tile = geometry.tiles?.tileAt(index)
    return (
      <GridRow
        key={key}
        entry={entry}
        index={index}
        ariaRow={index + 1 + headerRows}
        view={view}
        top={top}
        start={tile?.start ?? metrics.startOf(columnOf(geometry, index))}
        width={tile?.width ?? metrics.cardWidth}
        height={tile?.height}
        isSelected={isChosen(selection, rows.idAt(index))}
        isNew={fresh.columns === rows.listing && fresh.ids.has(rows.idAt(index))}
        isCut={cutKeys.has(key)}
        offerSlot={edited?.key === key ? listing.offerSlot : null}
        failure={failures.get(key) ?? ''}
        isTabStop={index === tabStop}
        hasCheckbox={selection.isMultiple}
        kind={wordOf(entry)}
        hasExactDates={hasExactDates}
        href={hrefOf(entry)}
        hasMenu={listing.menu !== null}
        thumbnail={thumbnailOf(entry, tile?.size ?? (view === 'gallery' ? 'tile' : 'thumb'))}
        cover={entry.isFolder && !entry.isUnreachable ? cover : undefined}
        badges={(folder !== null && badges?.badgesOf(folder, entry)) || ''}
        badgePart={badges}
        renderName={filter?.renderName}
        renderPlace={place?.render}
        place={place?.textOf(entry) ?? ''}
      />
    )
  })
}

/**
 * Returns the indexes of the rows in the range and the index of the focused row. The focused row stays in the document
 * even when it is scrolled out of view, because the browser would otherwise move the focus to the page.
 */
function renderedIndexes({ first, end }: RowRange, focusedIndex: number): readonly number[] {
  const inside = Array.from({ length: end - first }, (_, at) => first + at)
  if (focusedIndex === -1 || (focusedIndex >= first && focusedIndex < end)) return inside
  return focusedIndex < first ? [focusedIndex, ...inside] : [...inside, focusedIndex]
}

function PlaceholderRow({ index, top }: { readonly index: number; readonly top: number }) {
  return (
    <div
      role="row"
      className={styles.placeholder}
      style={{ top }}
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-label={t('shell.loading')}
      data-index={index}
    >
      <span role="gridcell" className={styles.bar}>
        <span className="visually-hidden">{t('shell.loading')}</span>
      </span>
    </div>
  )
}
