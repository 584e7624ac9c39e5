import { type DOMAttributes, type MouseEvent, type PointerEvent, useRef } from 'react'
import { contextMenu, earlyContextMenu } from '../../state/context-menu.ts'
import {
  clearSelection,
  extendTo,
  isChosen,
  type RowOrder,
  selection,
  selectOnly,
  setMultiple,
  toggle,
} from '../../state/selection.ts'
import { isCtrlPressed } from '../../ui/keys.ts'
import { doublePressMs, type PressAction, gestureOf, type RowPress } from './gestures.ts'

type RowGestureDependencies = {
  readonly rows: RowOrder
  readonly opensOnSingleClick: boolean
  readonly onOpen: (index: number) => void
}

const longPressMs = 500
/** A touch that moves further than this many CSS pixels is scrolling, not a long press. */
const maxStillPx = 10

/** The state of the current press, and the time and row of the previous press. */
type ActivePress = {
  isTouch: boolean
  last: { readonly index: number; readonly atMs: number }
  timer: ReturnType<typeof setTimeout> | undefined
  from: { readonly x: number; readonly y: number }
  /** True after a long press: the click event that follows it is ignored. */
  isHandled: boolean
}

/**
 * Returns the event listeners for presses on rows. The listeners are attached once to the whole listing instead of to
 * each row.
 */
export function useRowGestures(dependencies: RowGestureDependencies): DOMAttributes<HTMLDivElement> {
  const state = useRef<ActivePress>({
    isTouch: false,
    last: { index: -1, atMs: 0 },
    timer: undefined,
    from: { x: 0, y: 0 },
    isHandled: false,
  })

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const target = event.target as Element
    if (target.closest('a') !== null) leaveLink(event, target)
    if (state.current.isHandled) return
    const index = indexOfRow(target)
    if (index === -1) {
      if (target.closest('[role="columnheader"]') === null && !selection.get().isMultiple)
        selection.set(clearSelection)
      return
    }
    const press = pressOf(event, state.current, index)
    state.current.last = { index: press.isSecond ? -1 : index, atMs: event.timeStamp }
    applyGesture(
      gestureOf(press, {
        isMultiple: selection.get().isMultiple,
        opensOnSingleClick: dependencies.opensOnSingleClick,
      }),
      index,
      dependencies,
    )
  }

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const current = state.current
    current.isTouch = event.pointerType === 'touch'
    current.isHandled = false
    clearTimeout(current.timer)
    const index = indexOfRow(event.target as Element)
    if (!current.isTouch || index === -1) return
    current.from = { x: event.clientX, y: event.clientY }
    current.timer = setTimeout(() => {
      current.isHandled = true
      applyLongPress(index, current.from, dependencies)
      navigator.vibrate?.(10)
    }, longPressMs)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const { from, timer } = state.current
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > maxStillPx) clearTimeout(timer)
  }
  const stop = (): void => clearTimeout(state.current.timer)

  return {
    onClick,
    onPointerDown,
    onPointerMove,
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: keepContextMenu,
  }
}

/**
 * Keeps the browser from following the link of a folder's name, and gives its row the focus, because the keys of the list
 * belong to rows. Already at the press, the focus would end a drag that begins with it.
 */
function leaveLink(event: MouseEvent, target: Element): void {
  event.preventDefault()
  target.closest<HTMLElement>('[data-index]')?.focus({ preventScroll: true })
}

/** Keeps a right click for the code that opens the menu, instead of opening the menu of the browser. */
function keepContextMenu(event: MouseEvent): void {
  if (event.shiftKey) return
  event.preventDefault()
  earlyContextMenu.set(event.nativeEvent)
}

/** Selects a row and starts the multiple-selection mode. For a row that is selected, opens the context menu. */
function applyLongPress(
  index: number,
  point: ActivePress['from'],
  dependencies: RowGestureDependencies,
): void {
  if (isChosen(selection.get(), dependencies.rows.idAt(index)))
    return contextMenu.set({ ...point, on: 'entries' })
  selection.set((before) => setMultiple(before, true))
  applyGesture('toggle', index, dependencies)
}

function pressOf(event: MouseEvent, { isTouch, last }: ActivePress, index: number): RowPress {
  return {
    isTouch,
    isCtrl: isCtrlPressed(event),
    isShift: event.shiftKey,
    isOnCheckbox: (event.target as Element).closest('[data-part="check"]') !== null,
    isSecond: last.index === index && event.timeStamp - last.atMs <= doublePressMs,
  }
}

function applyGesture(gesture: PressAction, index: number, { rows, onOpen }: RowGestureDependencies): void {
  if (gesture === 'open') return onOpen(index)
  const id = rows.idAt(index)
  selection.set((before) => {
    if (gesture === 'only') return selectOnly(before, id)
    if (gesture === 'toggle') return toggle(before, id)
    return extendTo(before, rows, { id, isAdded: gesture === 'range-more' })
  })
}

/** Returns the index of the row that contains an element, or -1 when the element is outside the rows. */
export const indexOfRow = (element: Element): number =>
  Number(element.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)
