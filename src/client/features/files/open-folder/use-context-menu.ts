import { useEffect } from 'react'
import { indexOfRow } from '../../../listing/grid/use-row-gestures.ts'
import { contextMenu, earlyContextMenu } from '../../../state/context-menu.ts'
import {
  clearSelection,
  focusRow,
  isChosen,
  type RowOrder,
  selection,
  selectOnly,
} from '../../../state/selection.ts'

/**
 * Opens the context menu at a right click into the listing, and at the keys that the system has for it. A right click
 * on a row that is not selected selects the row first. With Shift the menu of the browser opens, and a long press of a
 * finger selects rows instead.
 */
export function useContextMenu(rows: RowOrder): void {
  useEffect(() => {
    const onContextMenu = (event: MouseEvent): void => {
      earlyContextMenu.set(null)
      const { target } = event
      const isOwnMenu = event.button === 2 && event.shiftKey
      if (isOwnMenu || !(target instanceof Element) || target.closest('#listing') === null) return
      event.preventDefault()
      if (event instanceof PointerEvent && event.pointerType === 'touch') return
      openAt(target, rows, event)
    }
    const early = earlyContextMenu.get()
    if (early !== null) onContextMenu(early)
    document.addEventListener('contextmenu', onContextMenu)
    return () => document.removeEventListener('contextmenu', onContextMenu)
  }, [rows])
}

function openAt(
  target: Element,
  rows: RowOrder,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): void {
  const id = rows.idAt(indexOfRow(target))
  if (id === -1) selection.set(clearSelection)
  else selection.set((current) => (isChosen(current, id) ? focusRow(current, id) : selectOnly(current, id)))
  contextMenu.set({ x: clientX, y: clientY, on: id === -1 ? 'folder' : 'entries' })
}
