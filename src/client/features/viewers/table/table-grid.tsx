import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { isRightToLeft } from '../../../ui/direction/direction.ts'
import { classNames } from '../../../ui/class-names.ts'
import { isCtrlPressed } from '../../../ui/keyboard/keys.ts'
import { copyAndNotify } from '../../../operations/copying/copy-and-notify.ts'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import { useFocusAfterMove } from '../rows/use-focus-after-move.ts'
import { shownValue } from '../rows/shown-value.ts'
import type { ColumnOrder } from './arrange-rows.ts'
import { cellAfterKey } from './cell-moves.ts'
import { columnGeometry } from './column-geometry.ts'
import { columnName, TableHeader } from './table-header.tsx'
import type { CellPosition, ColumnLayout, TableContent, TableWindow } from './table-messages.ts'
import { withWidth } from './resized-columns.ts'
import { TableRows } from './table-rows.tsx'
import { useColumnWindow } from './use-column-window.ts'
import rowStyles from '../rows/rows.module.css'
import styles from './table.module.css'

type TableGridProps = {
  readonly label: string
  readonly content: TableContent
  readonly layout: ColumnLayout
  readonly order: ColumnOrder | null
  readonly isBusy: boolean
  readonly onSort: (column: number) => void
  /** Called with the part of the table to render, whenever it changes. */
  readonly onShow: (window: TableWindow) => void
}

/** Renders the cells of a table that are near the view, and below them the whole text of the active cell. */
export function TableGrid({ label, content, layout, order, isBusy, onSort, onShow }: TableGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<CellPosition>({ row: 0, column: 0 })
  const { shown, columns } = content
  const rows = useFixedRows({ scroller, count: shown, hasHeader: true })
  const [resized, setResized] = useState<ReadonlyMap<number, number>>(new Map())
  const widths = layout.widths.map((width, column) => resized.get(column) ?? width)
  const geometry = columnGeometry(widths, { rows: content.total, remPx: rows.remPx })
  const columnWindow = useColumnWindow(scroller, geometry, rows.widthPx)
  // A filter or another text may have removed the cell.
  const row = Math.min(chosen.row, Math.max(0, shown - 1))
  const column = Math.min(chosen.column, Math.max(0, columns - 1))
  const active = { row, column }
  useShownWindow(
    {
      firstRow: rows.range.first,
      endRow: rows.range.end,
      firstColumn: columnWindow.range.first,
      endColumn: columnWindow.range.end,
      active,
    },
    onShow,
  )
  const focusActive = useFocusAfterMove(scroller)

  const onKeyDown = (event: KeyboardEvent): void => {
    const isCopy = event.key === 'c' && isCtrlPressed(event) && String(getSelection()) === ''
    if (isCopy) void copyAndNotify(content.activeText)
    const to = event.altKey || event.metaKey ? null : cellAfterKey(active, moveOf(event))
    if (to === null && !isCopy) return
    event.preventDefault()
    event.stopPropagation()
    if (to === null) return
    setChosen(to)
    // Scrolling to a distant row renders at once and removes the cell that has the focus.
    focusActive()
    if (to.row >= 0) rows.show(to.row)
    columnWindow.show(to.column)
  }
  const moveOf = ({ key, ctrlKey }: KeyboardEvent) => ({
    key,
    isCtrl: ctrlKey,
    rows: shown,
    columns,
    perView: rows.perView,
    isRightToLeft: isRightToLeft(),
  })
  const onFocus = ({ target }: FocusEvent): void => {
    const cell = target.closest<HTMLElement>('[data-column]')
    if (cell !== null) setChosen({ row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) })
  }
  // The table element gives its rows and cells their roles. The role `grid` tells screen readers that arrow keys move
  // between the cells.
  const grid = { role: 'grid', onKeyDown, onFocus }
  const isCurrent = isSameCell(content.window.active, active)
  return (
    <>
      <div ref={scroller} className={rowStyles.scroller}>
        <table
          {...grid}
          className={styles.table}
          aria-label={label}
          aria-rowcount={shown + 1}
          aria-colcount={columns + 1}
          aria-busy={isBusy}
          style={{ inlineSize: geometry.starts.at(-1) }}
        >
          <TableHeader
            content={content}
            geometry={geometry}
            range={columnWindow.range}
            heightPx={rows.rowPx}
            order={order}
            active={active}
            onSort={onSort}
            onResize={(column, change) =>
              setResized(withWidth({ resized, layout, column, change, remPx: rows.remPx }))
            }
          />
          <TableRows
            content={content}
            geometry={geometry}
            rows={rows}
            columns={columnWindow.range}
            active={active}
          />
        </table>
        {shown === 0 && content.isComplete && <p className={styles.empty}>{t('viewer.noRows')}</p>}
      </div>
      <p
        className={classNames(rowStyles.active, styles.cell)}
        data-part="cell"
        data-place={placeOf(content)}
        dir="auto"
        aria-label={t('viewer.cell')}
        role="note"
      >
        {isCurrent && shownValue(content.activeText)}
      </p>
    </>
  )
}

/** Returns the name of the column of the active cell, and the number of its row in the file. */
const placeOf = (content: TableContent): string =>
  t('viewer.cellPlace', {
    column: columnName(content, content.window.active.column),
    row: content.rows[content.window.active.row - content.window.firstRow]?.number ?? 0,
  })

const isSameCell = (a: CellPosition, b: CellPosition): boolean => a.row === b.row && a.column === b.column

/** Tells the part of the table to render, when it has changed. */
function useShownWindow(window: TableWindow, onShow: (window: TableWindow) => void): void {
  const { firstRow, endRow, firstColumn, endColumn, active } = window
  const { row, column } = active
  useEffect(
    () => onShow({ firstRow, endRow, firstColumn, endColumn, active: { row, column } }),
    [onShow, firstRow, endRow, firstColumn, endColumn, row, column],
  )
}
