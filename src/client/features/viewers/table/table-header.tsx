import { ArrowDown, ArrowUp } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { shownValue } from '../rows/shown-value.ts'
import type { ColumnOrder } from './arrange-rows.ts'
import { type ColumnGeometry, type ColumnRange, startOfColumn, widthOfColumn } from './column-geometry.ts'
import { columnsWith } from './columns-with.ts'
import type { WidthChange } from './resized-columns.ts'
import { TableColumnEdge } from './table-column-edge.tsx'
import type { CellPosition, TableContent } from './table-messages.ts'
import styles from './table.module.css'

type TableHeaderProps = {
  readonly content: TableContent
  readonly geometry: ColumnGeometry
  readonly range: ColumnRange
  readonly heightPx: number
  readonly order: ColumnOrder | null
  readonly active: CellPosition
  readonly onSort: (column: number) => void
  readonly onResize: (column: number, change: WidthChange) => void
}

/** Renders the names of the columns. A press on a name sorts the table by its column, and the edge beside it resizes the column. */
export function TableHeader({
  content,
  geometry,
  range,
  heightPx,
  order,
  active,
  onSort,
  onResize,
}: TableHeaderProps) {
  const { columns } = content
  const nameOf = (column: number): string => columnName(content, column)
  return (
    <thead className={styles.header}>
      <tr className={styles.headerRow} aria-rowindex={1} style={{ blockSize: heightPx }}>
        <th
          scope="col"
          className={styles.number}
          aria-colindex={1}
          style={{ inlineSize: geometry.numbersPx }}
        >
          <span className="visually-hidden">{t('viewer.rowNumber')}</span>
        </th>
        {columnsWith(range, active.row === -1 ? active.column : null, columns).map((column) => {
          const isActive = active.row === -1 && active.column === column
          const isSorted = order?.column === column
          return (
            <th
              key={column}
              scope="col"
              className={styles.heading}
              aria-label={nameOf(column)}
              aria-colindex={column + 2}
              aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
              style={{
                insetInlineStart: startOfColumn(geometry, column),
                inlineSize: widthOfColumn(geometry, column),
              }}
            >
              <button
                type="button"
                className={styles.sort}
                tabIndex={isActive ? 0 : -1}
                data-active={isActive || undefined}
                data-row={-1}
                data-column={column}
                title={nameOf(column)}
                onClick={() => onSort(column)}
              >
                <bdi className={styles.columnName}>{nameOf(column)}</bdi>
                {isSorted && <Icon icon={order.isDescending ? ArrowDown : ArrowUp} size={14} />}
              </button>
              <TableColumnEdge
                name={nameOf(column)}
                widthPx={widthOfColumn(geometry, column)}
                isReachable={isActive}
                onChange={(change) => onResize(column, change)}
              />
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/**
 * Returns the name of a column, or its letters. The name of a column outside of the window is known while its header is
 * active.
 */
export function columnName({ header, activeText, window }: TableContent, column: number): string {
  const known =
    header &&
    (header[column - window.firstColumn] ?? (window.active.row === -1 ? shownValue(activeText) : ''))
  return known || lettersOf(column)
}

/** Returns the letters of a column without a name, as in spreadsheets: A to Z, then AA. */
function lettersOf(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last
}
