import { type KeyboardEvent, useState } from 'react'
import { ArrowDown, ArrowUp } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { classNames } from '../../ui/class-names.ts'
import { arrowStep } from '../../ui/direction/direction.ts'
import { Icon } from '../../ui/icon.tsx'
import { SortMenu } from './sort-menu.tsx'
import {
  type ColumnKey,
  type HeadingOrder,
  isSortable,
  type ListColumn,
  type SizedColumn,
} from '../sizes/column-widths.ts'
import styles from './grid-header.module.css'
import { listingAfterRows } from '../parts/load-after-rows.ts'

type GridHeaderProps = {
  readonly columns: readonly ListColumn[]
  readonly order: HeadingOrder
  readonly onSort: (by: ColumnKey) => void
  /** Called when the down arrow moves the focus into the rows. */
  readonly onLeave: () => void
}

const ColumnEdge = listingAfterRows.part((module) => module.ColumnEdge)

/**
 * Renders the column headings of the list. The up arrow key moves the focus from the first row to the headings'
 * buttons, because the whole grid is one tab stop. The code that resizes columns is loaded when the pointer or the focus
 * reaches the headings.
 */
export function GridHeader({ columns, order, onSort, onLeave }: GridHeaderProps) {
  // The cache that the compiler would add makes the first page larger than the four headings are worth.
  'use no memo'
  const [isReached, setReached] = useState(false)
  const reach = (): void => setReached(true)
  return (
    <div role="rowgroup" className={styles.header} data-part="columns">
      <div role="row" className={styles.row} aria-rowindex={1}>
        <span role="columnheader" className={styles.check}>
          <span className="visually-hidden">{t('listing.selected.column')}</span>
        </span>
        {columns.map((column) => (
          <span
            key={column.by}
            role="columnheader"
            className={classNames(styles.cell, styles[column.by])}
            aria-sort={isSortable(column) ? directionOf(column.by, order) : undefined}
            onPointerEnter={reach}
          >
            {isSortable(column) ? (
              <button
                type="button"
                tabIndex={-1}
                className={styles.button}
                onFocus={reach}
                onClick={() => onSort(column.by)}
                onKeyDown={(event) => moveInHeader(event, onLeave)}
              >
                {t(column.label)}
                <span className={styles.arrow} aria-hidden>
                  <Icon icon={order.by === column.by && order.descending ? ArrowDown : ArrowUp} size={14} />
                </span>
              </button>
            ) : (
              <span className={styles.label}>{t(column.label)}</span>
            )}
            {isReached && hasOwnTrack(column.by, columns) && (
              <ColumnEdge by={column.by} label={column.label} />
            )}
          </span>
        ))}
      </div>
    </div>
  )
}

const directionOf = (by: ColumnKey, order: HeadingOrder): 'ascending' | 'descending' | 'none' =>
  order.by !== by ? 'none' : order.descending ? 'descending' : 'ascending'

/**
 * Returns true for a heading that is as wide as the track of its column. In the list of results, the name and the folder
 * share a track, so the edge of neither can resize it.
 */
const hasOwnTrack = (by: ListColumn['by'], columns: readonly ListColumn[]): by is SizedColumn =>
  by !== 'folder' && (by !== 'name' || columns.every((column) => column.by !== 'folder'))

function moveInHeader(event: KeyboardEvent<HTMLButtonElement>, onLeave: () => void): void {
  const { key, currentTarget } = event
  if (!['ArrowLeft', 'ArrowRight', 'ArrowDown', 'ArrowUp'].includes(key)) return
  event.preventDefault()
  if (key === 'ArrowDown') return onLeave()
  const buttons = [...(currentTarget.closest('[role="row"]')?.querySelectorAll('button') ?? [])]
  buttons[buttons.indexOf(currentTarget) + arrowStep(key)]?.focus()
}

/** Renders the bar of a narrow list, in the place of the column headings. */
export const CompactHeader = ({ columns, order, onSort }: Omit<GridHeaderProps, 'onLeave'>) => (
  <div className={styles.header} data-part="columns">
    <SortMenu columns={columns} order={order} onSort={onSort} />
  </div>
)
