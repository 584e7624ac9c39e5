import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '../../../i18n/translate.ts'
import type { WidthChange } from './resized-columns.ts'
import { arrowStep, isRightToLeft } from '../../../ui/direction/direction.ts'
import styles from './table.module.css'

/** One press of an arrow key moves the edge by this many CSS pixels. */
const keyStepPx = 8

type TableColumnEdgeProps = {
  readonly name: string
  readonly widthPx: number
  /** True when the Tab key reaches the edge. Only the edge of the active column is in its order, as tables have many columns. */
  readonly isReachable: boolean
  readonly onChange: (change: WidthChange) => void
}

/**
 * Renders the edge at the end of a column's name. Dragging it and the arrow keys resize the column, a double click and Enter fit
 * it to its content, and Home restores its first width.
 */
export function TableColumnEdge({ name, widthPx, isReachable, onChange }: TableColumnEdgeProps) {
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return
    event.preventDefault()
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    const fromX = event.clientX
    const direction = isRightToLeft() ? -1 : 1
    const move = ({ clientX }: globalThis.PointerEvent): void =>
      onChange(widthPx + (clientX - fromX) * direction)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), {
      once: true,
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const change = changeOfKey(event.key, widthPx)
    if (change === null) return
    event.preventDefault()
    event.stopPropagation()
    onChange(change)
  }
  // A focusable separator has a value, which the element `hr` cannot have.
  const separator = {
    role: 'separator',
    tabIndex: isReachable ? 0 : -1,
    'aria-orientation': 'vertical',
    'aria-label': t('viewer.columnWidth', { name }),
    'aria-valuenow': Math.round(widthPx),
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(Math.round(widthPx), window.innerWidth),
    onPointerDown,
    onKeyDown,
    onDoubleClick: () => onChange('fitted'),
  } as const
  return <span {...separator} className={styles.edge} />
}

function changeOfKey(key: string, widthPx: number): WidthChange | null {
  if (key === 'Home') return 'initial'
  if (key === 'Enter') return 'fitted'
  return arrowStep(key) === 0 ? null : widthPx + arrowStep(key) * keyStepPx
}
