import type { RefObject } from 'react'
import { type Columns, idAt, indexOfId, nameOfId } from '../../../listing/rows/columns.ts'
import { rowAfterKey } from '../../../listing/grid/focus-moves.ts'
import { rowOrderOfColumns } from '../../../listing/rows/folder-rows.ts'
import type { GridHandle } from '../../../listing/grid/grid.tsx'
import {
  nothingTyped,
  rowStartingWith,
  type Typed,
  typeAheadMs,
  typedAfter,
} from '../../../listing/grid/type-ahead.ts'
import { extendTo, focusRow, selection, selectOnly, toggle } from '../../../state/selection.ts'
import { createStore } from '../../../state/store.ts'

/** What has been typed to jump to a name; empty when nobody types. */
export const typed = createStore<Typed>(nothingTyped)

export type ListKeyNeeds = {
  readonly columns: Columns
  readonly grid: RefObject<GridHandle | null>
  readonly onOpen: (index: number, manner: { readonly isNewTab: boolean }) => void
}

/** Does what a key means in the list; false when it means nothing there. */
export function pressInList(needs: ListKeyNeeds, event: KeyboardEvent): boolean {
  if (event.altKey) return false
  const index = indexOfId(needs.columns, selection.get().focusId)
  if (event.key === 'Enter') return openFocused(needs, index, event)
  if (event.key === ' ' && !(event.shiftKey && !isCtrl(event)))
    return isTyping() ? typeLetter(needs, event) : toggleFocused(needs, index)
  if (event.key === 'Insert') return toggleFocused(needs, index)
  if (event.key === 'ArrowUp' && index === 0 && !event.shiftKey) return leaveForHeader(needs)
  return move(needs, index, event)
}

const isCtrl = ({ ctrlKey, metaKey }: KeyboardEvent): boolean => ctrlKey || metaKey

function openFocused({ onOpen }: ListKeyNeeds, index: number, event: KeyboardEvent): boolean {
  if (index === -1) return false
  onOpen(index, { isNewTab: isCtrl(event) })
  return true
}

function toggleFocused({ columns }: ListKeyNeeds, index: number): boolean {
  if (index === -1) return false
  selection.set((now) => toggle(now, idAt(columns, index)))
  return true
}

function leaveForHeader({ grid }: ListKeyNeeds): boolean {
  if ((grid.current?.geometry().columns ?? 0) > 1) return true
  grid.current?.focusHeader()
  return true
}

/** Arrows choose what they reach; with ctrl they only look; with shift they reach from the anchor. */
function move({ columns, grid }: ListKeyNeeds, from: number, event: KeyboardEvent): boolean {
  const handle = grid.current
  const element = handle?.element()
  if (!handle || !element) return false
  const to = rowAfterKey(handle.geometry(), {
    key: event.key,
    from,
    pageLines: handle.pageLines(),
    isRightToLeft: getComputedStyle(element).direction === 'rtl',
  })
  if (to === null) return false
  const id = idAt(columns, to)
  selection.set((now) => {
    if (event.shiftKey) return extendTo(now, rowOrderOfColumns(columns), { id, isAdded: isCtrl(event) })
    return isCtrl(event) || now.isMultiple ? focusRow(now, id) : selectOnly(now, id)
  })
  handle.focusIndex(to)
  return true
}

const isTyping = (): boolean => typed.get().text !== '' && performance.now() - typed.get().atMs < typeAheadMs

/** A letter of a name: the focus jumps to the next name that starts with what has been typed. */
export function typeLetter({ columns, grid }: ListKeyNeeds, { key }: KeyboardEvent): boolean {
  if (key === 'Backspace' && !isTyping()) return false
  if (key !== 'Backspace' && key.length !== 1) return false
  const now = typedAfter(typed.get(), key, performance.now())
  typed.set(now)
  setTimeout(() => typed.set((later) => (later === now ? nothingTyped : later)), typeAheadMs)
  const to = rowStartingWith({
    text: now.text,
    from: indexOfId(columns, selection.get().focusId),
    count: columns.count,
    nameAt: (index) => nameOfId(columns, idAt(columns, index)),
  })
  if (to === -1) return true
  if (!selection.get().isMultiple) selection.set((was) => selectOnly(was, idAt(columns, to)))
  grid.current?.focusIndex(to)
  return true
}
