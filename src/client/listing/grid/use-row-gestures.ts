import { type DOMAttributes, type MouseEvent, type PointerEvent, useRef } from 'react'
import {
  clearSelection,
  extendTo,
  type RowOrder,
  selection,
  selectOnly,
  setMultiple,
  toggle,
} from '../../state/selection.ts'
import { doublePressMs, type Gesture, gestureOf, type Press } from './gestures.ts'

export type RowGestureNeeds = {
  readonly rows: RowOrder
  readonly opensAtOnce: boolean
  readonly onOpen: (index: number) => void
}

const longPressMs = 500
const stillPx = 10

type Memory = {
  isTouch: boolean
  last: { readonly index: number; readonly atMs: number }
  timer: ReturnType<typeof setTimeout> | undefined
  from: { readonly x: number; readonly y: number }
  /** A long press has done its work: the click that follows it is none. */
  isSpent: boolean
}

/** Hears presses on rows: one listener for the whole listing. */
export function useRowGestures(needs: RowGestureNeeds): DOMAttributes<HTMLDivElement> {
  const memory = useRef<Memory>({
    isTouch: false,
    last: { index: -1, atMs: 0 },
    timer: undefined,
    from: { x: 0, y: 0 },
    isSpent: false,
  })

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const target = event.target as Element
    if (target.closest('a') !== null) event.preventDefault()
    if (memory.current.isSpent) return
    const index = indexOfRow(target)
    if (index === -1) {
      if (target.closest('[role="columnheader"]') === null && !selection.get().isMultiple)
        selection.set(clearSelection)
      return
    }
    const press = pressOf(event, memory.current, index)
    memory.current.last = { index: press.isSecond ? -1 : index, atMs: event.timeStamp }
    act(
      gestureOf(press, { isMultiple: selection.get().isMultiple, opensAtOnce: needs.opensAtOnce }),
      index,
      needs,
    )
  }

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const now = memory.current
    now.isTouch = event.pointerType === 'touch'
    now.isSpent = false
    clearTimeout(now.timer)
    const index = indexOfRow(event.target as Element)
    if (!now.isTouch || index === -1) return
    now.from = { x: event.clientX, y: event.clientY }
    now.timer = setTimeout(() => {
      now.isSpent = true
      selection.set((was) => setMultiple(was, true))
      act('toggle', index, needs)
      navigator.vibrate?.(10)
    }, longPressMs)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const { from, timer } = memory.current
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > stillPx) clearTimeout(timer)
  }
  const stop = (): void => clearTimeout(memory.current.timer)

  return {
    onClick,
    onPointerDown,
    onPointerMove,
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event) => {
      if (memory.current.isTouch) event.preventDefault()
    },
  }
}

function pressOf(event: MouseEvent, { isTouch, last }: Memory, index: number): Press {
  return {
    isTouch,
    isCtrl: event.ctrlKey || event.metaKey,
    isShift: event.shiftKey,
    isOnCheckbox: (event.target as Element).closest('[data-part="check"]') !== null,
    isSecond: last.index === index && event.timeStamp - last.atMs <= doublePressMs,
  }
}

function act(gesture: Gesture, index: number, { rows, onOpen }: RowGestureNeeds): void {
  if (gesture === 'open') return onOpen(index)
  const id = rows.idAt(index)
  selection.set((now) => {
    if (gesture === 'only') return selectOnly(now, id)
    if (gesture === 'toggle') return toggle(now, id)
    return extendTo(now, rows, { id, isAdded: gesture === 'range-more' })
  })
}

/** The index of the row that an element belongs to; -1 for none. */
export const indexOfRow = (element: Element): number =>
  Number(element.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)
