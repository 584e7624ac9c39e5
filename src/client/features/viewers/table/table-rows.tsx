import type { FixedRows } from '../rows/use-fixed-rows.ts'
import { shownValue } from '../rows/shown-value.ts'
import { type ColumnGeometry, type ColumnRange, startOfColumn, widthOfColumn } from './column-geometry.ts'
import { columnsWith } from './columns-with.ts'
import type { CellPosition, TableContent } from './table-messages.ts'
import styles from './table.module.css'

type TableRowsProps = {
  readonly content: TableContent
  readonly geometry: ColumnGeometry
  readonly rows: FixedRows
  readonly columns: ColumnRange
  readonly active: CellPosition
}

/**
 * Renders the rows near the view, and the row of the active cell, which keeps the focus while the table is scrolled.
 * Cells whose texts the worker has not sent yet are empty.
 */
export function TableRows({ content, geometry, rows, columns, active }: TableRowsProps) {
  const { shown } = content
  const { first, end } = rows.range
  const indexes = Array.from(
    { length: Math.max(0, Math.min(end, shown) - first) },
    (_, index) => first + index,
  )
  if (active.row >= 0 && active.row < shown && !indexes.includes(active.row)) indexes.push(active.row)
  return (
    <tbody className={styles.body} style={{ blockSize: rows.heightPx }}>
      {indexes.map((index) => (
        <TableRow
          key={index}
          index={index}
          topPx={rows.topOf(index)}
          heightPx={rows.rowPx}
          content={content}
          geometry={geometry}
          columns={columns}
          activeColumn={index === active.row ? active.column : null}
        />
      ))}
    </tbody>
  )
}

type TableRowProps = Pick<TableRowsProps, 'content' | 'geometry' | 'columns'> & {
  readonly index: number
  readonly topPx: number
  readonly heightPx: number
  readonly activeColumn: number | null
}

/** Cells with fewer characters are seldom cut off, so that they need no tooltip. */
const shortLength = 12

function TableRow({ index, topPx, heightPx, content, geometry, columns, activeColumn }: TableRowProps) {
  const { window, rows, activeText } = content
  const row = rows[index - window.firstRow]
  const isKnown = index >= window.firstRow && row !== undefined
  const textOf = (column: number): string => {
    const isActive = window.active.row === index && window.active.column === column
    const known = isKnown ? row.cells[column - window.firstColumn] : undefined
    return known ?? (isActive ? shownValue(activeText) : '')
  }
  return (
    <tr
      className={styles.row}
      data-odd={index % 2 === 1 || undefined}
      aria-rowindex={index + 2}
      style={{ top: topPx, blockSize: heightPx }}
    >
      <th scope="row" className={styles.number} aria-colindex={1} style={{ inlineSize: geometry.numbersPx }}>
        {isKnown ? row.number : ''}
      </th>
      {columnsWith(columns, activeColumn, content.columns).map((column) => {
        const text = textOf(column)
        const isActive = column === activeColumn
        return (
          <td
            key={column}
            className={styles.value}
            aria-colindex={column + 2}
            tabIndex={isActive ? 0 : -1}
            data-active={isActive || undefined}
            data-row={index}
            data-column={column}
            title={text.length > shortLength ? text : undefined}
            style={{
              insetInlineStart: startOfColumn(geometry, column),
              inlineSize: widthOfColumn(geometry, column),
            }}
          >
            {text}
          </td>
        )
      })}
    </tr>
  )
}
