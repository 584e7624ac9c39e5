import { type DOMAttributes, type MouseEvent, type PointerEvent, useRef } from 'react'
import {
  clearSelection,
  extendTo,
  focusRow,
  isChosen,
  type RowOrder,
  selectOnly,
  type Selection,
  toggle,
} from '../../state/selection.ts'
import { isCtrlPressed } from '../../ui/keyboard/keys.ts'
import { doublePressMs, type PressAction, gestureOf, type RowPress } from './gestures.ts'
import type { Listing } from './listing.ts'
import { deselectRows, selectAlone, setMultipleMode } from './select-in-lists.ts'

type RowGestureDependencies = {
  readonly listing: Listing
  readonly rows: RowOrder
  readonly opensOnSingleClick: boolean
  readonly opensNames: boolean | undefined
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

  const { selection, canSelect, listsOnScreen } = dependencies.listing

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const target = event.target as Element
    if (target.closest('a') !== null) {
      if (!canSelect.get() && hasModifier(event)) return
      leaveLink(event, target)
    }
    if (state.current.isHandled) return
    const index = indexOfRow(target)
    if (index === -1) {
      if (target.closest('[role="columnheader"]') === null && !selection.get().isMultiple)
        deselectRows(listsOnScreen())
      return
    }
    const press = pressOf(event, state.current, { index, opensNames: dependencies.opensNames })
    if (press === null) return
    state.current.last = { index: press.isSecond ? -1 : index, atMs: event.timeStamp }
    const { opensOnSingleClick } = dependencies
    const { isMultiple } = selection.get()
    const settings = { isMultiple, opensOnSingleClick, canSelect: canSelect.get() }
    applyGesture(gestureOf(press, settings), index, dependencies)
  }

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const current = state.current
    current.isTouch = event.pointerType === 'touch'
    current.isHandled = false
    clearTimeout(current.timer)
    const index = indexOfRow(event.target as Element)
    if (!current.isTouch || index === -1 || !canSelect.get()) return
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
    onContextMenu: (event) => openContextMenu(event, dependencies),
  }
}

/** Returns true for a press with which browsers open a link in a new tab or window. */
const hasModifier = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean => ctrlKey || metaKey || shiftKey

/**
 * Keeps the browser from following the link of a name, and gives its row the focus, because the keys of the list
 * belong to rows. Already at the press, the focus would end a drag that begins with it.
 */
function leaveLink(event: MouseEvent, target: Element): void {
  event.preventDefault()
  target.closest<HTMLElement>('[data-index]')?.focus({ preventScroll: true })
}

/**
 * Opens the context menu at a right click, and at the keys that the system has for it. A right click on a row that is not
 * selected selects the row first. With Shift, and for rows without a menu, the menu of the browser opens. A long press of a
 * finger selects rows instead of opening either menu.
 */
export function openContextMenu(
  event: MouseEvent,
  { listing, rows }: Pick<RowGestureDependencies, 'listing' | 'rows'>,
): void {
  const { selection, canSelect, menu } = listing
  const { nativeEvent } = event
  const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
  if (isTouch ? !canSelect.get() : menu === null || (event.button === 2 && event.shiftKey)) return
  event.preventDefault()
  if (isTouch) return
  const id = rows.idAt(indexOfRow(event.target as Element))
  if (id !== -1 && isChosen(selection.get(), id)) selection.set((now) => focusRow(now, id))
  else selectAlone(listing, (now) => (id === -1 ? clearSelection(now) : selectOnly(now, id)))
  menu?.set({ x: event.clientX, y: event.clientY, on: id === -1 ? 'folder' : 'entries' })
}

/** Selects a row and starts the multiple-selection mode. For a row that is selected, opens the context menu. */
function applyLongPress(
  index: number,
  point: ActivePress['from'],
  dependencies: RowGestureDependencies,
): void {
  const { selection, menu, listsOnScreen } = dependencies.listing
  if (isChosen(selection.get(), dependencies.rows.idAt(index))) return menu?.set({ ...point, on: 'entries' })
  setMultipleMode(listsOnScreen(), true)
  applyGesture('toggle', index, dependencies)
}

/**
 * Returns a press on a row, or null for the second press of a double press on a name that the first press has not reached:
 * the first press has opened the folder that is on screen now.
 */
function pressOf(
  event: MouseEvent,
  { isTouch, last }: ActivePress,
  { index, opensNames }: { readonly index: number; readonly opensNames: boolean | undefined },
): RowPress | null {
  const target = event.target as Element
  const isSecond = last.index === index && event.timeStamp - last.atMs <= doublePressMs
  const isOnOpeningName = opensNames === true && target.closest('[data-part="name"]') !== null
  if (isOnOpeningName && event.detail > 1 && !isSecond) return null
  return {
    isTouch,
    isCtrl: isCtrlPressed(event),
    isShift: event.shiftKey,
    isOnCheckbox: target.closest('[data-part="check"]') !== null,
    isOnOpeningName,
    isSecond,
  }
}

function applyGesture(
  gesture: PressAction,
  index: number,
  { listing, rows, onOpen }: RowGestureDependencies,
): void {
  if (gesture === 'open') return onOpen(index)
  const id = rows.idAt(index)
  if (gesture === 'toggle') return listing.selection.set((before) => toggle(before, id))
  if (gesture === 'only') return selectAlone(listing, (before) => selectOnly(before, id))
  const isAdded = gesture === 'range-more'
  const select = (before: Selection): Selection => extendTo(before, rows, { id, isAdded })
  if (isAdded) listing.selection.set(select)
  else selectAlone(listing, select)
}

/** Returns the index of the row that contains an element, or -1 when the element is outside the rows. */
export const indexOfRow = (element: Element): number =>
  Number(element.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1)
