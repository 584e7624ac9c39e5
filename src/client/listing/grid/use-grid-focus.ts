import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { focusRow } from '../../state/selection.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import type { Listing } from './listing.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

export type GridFocus = {
  /** The index of the focused row, or -1 when no row has the focus. */
  readonly focusedIndex: number
  /**
   * The index of the only row that the Tab key reaches. This is the focused row or, when no row has the focus, the
   * first row in the document.
   */
  readonly tabStop: number
  /** Focuses a row and scrolls it into view. */
  readonly focusIndex: (index: number) => void
  /** Focuses a row without scrolling. The focused row is always in the document. */
  readonly focusInPlace: (index: number) => void
  /** Focuses the button of the column by which the rows are sorted. */
  readonly focusHeader: () => void
}

type GridFocusOptions = {
  readonly listing: Listing
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: FolderRows
  readonly scroll: ScrollWindow
  /** The id of the focused row, or -1 when no row has the focus. */
  readonly focusId: number
}

/** Manages the keyboard focus of the rows, although only the rows in and near the view are in the document. */
export function useGridFocus({ listing, scroller, rows, scroll, focusId }: GridFocusOptions): GridFocus {
  const focusedIndex = rows.indexOfId(focusId)
  const renderAndFocus = (index: number, scrollsIntoView: boolean): void => {
    // One rendering does both: the scrolled view, and the row as the focused one.
    flushSync(() => {
      listing.selection.set((current) => focusRow(current, rows.idAt(index)))
      if (scrollsIntoView) scroll.showRow(index)
    })
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    row?.focus({ preventScroll: true })
    // A page that is higher than the window scrolls, too.
    if (scrollsIntoView) row?.scrollIntoView({ block: 'nearest' })
  }
  return {
    focusedIndex,
    tabStop: focusedIndex === -1 ? scroll.rows.first : focusedIndex,
    focusIndex: (index) => renderAndFocus(index, true),
    focusInPlace: (index) => renderAndFocus(index, false),
    focusHeader: () => focusSortedColumn(scroller.current),
  }
}

function focusSortedColumn(scroller: HTMLElement | null): void {
  const sorted = scroller?.querySelector<HTMLElement>('[aria-sort]:not([aria-sort="none"]) button')
  const first = scroller?.querySelector<HTMLElement>('[aria-sort] button')
  ;(sorted ?? first)?.focus()
}
