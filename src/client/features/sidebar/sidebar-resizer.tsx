import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '../../i18n/translate.ts'
import { sidebarSize, sidebarWidth, sidebarWidthLimits } from '../../state/device/sidebar.ts'
import { useStore } from '../../state/store.ts'
import { arrowStep, isRightToLeft } from '../../ui/direction/direction.ts'
import styles from './sidebar-parts.module.css'

/** The step of the arrow keys in CSS pixels, the same as for the columns of the list (ux 2.5). */
const stepPx = 8

/** Sets the width of the full sidebar. A value outside of the limits is replaced by the nearest limit. */
function resizeSidebar(widthPx: number): void {
  const { min, max } = sidebarWidthLimits
  sidebarWidth.set(String(Math.round(Math.min(max, Math.max(min, widthPx)))))
}

/**
 * Renders the edge between the sidebar and the content. Dragging it, or the arrow keys while it has the focus, change
 * the width of the sidebar. A double click restores the initial width, and Enter collapses the sidebar to the rail.
 */
export function SidebarResizer() {
  const width = Number(useStore(sidebarWidth))
  const { min, initial, max } = sidebarWidthLimits
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = widthAfterKey(event.key, width)
    if (event.key === 'Enter') sidebarSize.set('rail')
    else if (target === null) return
    else resizeSidebar(target)
    event.preventDefault()
    event.stopPropagation()
  }
  // A separator that takes the focus is a control: the window splitter of the ARIA Authoring Practices Guide.
  const splitter = {
    role: 'separator',
    'aria-label': t('sidebar.resize'),
    'aria-orientation': 'vertical',
    'aria-controls': 'sidebar',
    'aria-valuenow': width,
    'aria-valuemin': min,
    'aria-valuemax': max,
    tabIndex: 0,
    onKeyDown,
    onPointerDown: startDrag,
    onDoubleClick: () => resizeSidebar(initial),
  } as const
  return <div className={styles.resizer} {...splitter} />
}

function widthAfterKey(key: string, width: number): number | null {
  if (key === 'Home') return sidebarWidthLimits.min
  if (key === 'End') return sidebarWidthLimits.max
  return arrowStep(key) === 0 ? null : width + arrowStep(key) * stepPx
}

/** Makes the edge follow the pointer until the button is released. */
function startDrag(event: PointerEvent<HTMLElement>): void {
  if (event.button !== 0) return
  event.preventDefault()
  const edge = event.currentTarget
  const drag = new AbortController()
  edge.setPointerCapture(event.pointerId)
  edge.focus()
  edge.addEventListener('pointermove', followPointer, { signal: drag.signal })
  for (const end of ['pointerup', 'pointercancel'])
    edge.addEventListener(end, () => drag.abort(), { signal: drag.signal })
}

const followPointer = ({ clientX }: MouseEvent): void =>
  resizeSidebar(isRightToLeft() ? innerWidth - clientX : clientX)
