import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { type NameQuery, parseNameQuery } from '../../../shared/domain/name-query.ts'
import { type FilterTarget, filterTarget, listFilter } from '../../listing/grid/list-filter.ts'
import type { ListingColumns } from '../../listing/rows/columns.ts'
import { createRowMatch, matchingRanges, type RowMatch } from '../../listing/rows/name-match.ts'
import { createFilteredColumns, type RowScan, startRowScan } from '../../listing/rows/row-scan.ts'
import { addRows, emptyRowSet, hasRow, rowsIn } from '../../state/row-set.ts'
import { searchText } from '../../state/search.ts'
import { selection, withoutRows } from '../../state/selection.ts'
import { MarkedName } from '../../ui/marked-name.tsx'
import { queryOf } from './query-words.ts'

/**
 * The maximum time in milliseconds that the filter works without a pause, so that no frame takes longer than 50 ms. A
 * million names of ordinary length are tested within this time.
 */
const maxBlockingMs = 24

/** A filter of the folder on screen. */
type ActiveFilter = {
  readonly target: FilterTarget
  readonly shown: ListingColumns
  match: RowMatch
  scan: RowScan
  timer: ReturnType<typeof setTimeout> | undefined
  readonly stopWatching: () => void
}

/**
 * Shows only the matching rows of the folder on screen while the search field contains text. Restores the rows and the
 * scroll position when the field is cleared. Returns the function that ends the filter.
 */
export function filterOpenFolder(): () => void {
  let active: ActiveFilter | null = null
  /** The scroll position of the folder before the search. */
  let before: { readonly folder: string; readonly topPx: number } | null = null

  const stop = (): void => {
    clearTimeout(active?.timer)
    active?.stopWatching()
    active = null
  }
  let appliedText = ''
  const update = (): void => {
    const target = filterTarget.get()
    const text = searchText.get().trim()
    const isNewText = text !== appliedText
    appliedText = text
    if (text === '') {
      stop()
      showAllRows(target, before)
      before = null
    } else if (target === null) stop()
    else {
      if (before?.folder !== target.folder)
        before = { folder: target.folder, topPx: target.grid.current?.topPx() ?? 0 }
      if (active?.target !== target) {
        stop()
        active = startFilter(target, () => active && continueScan(active))
      }
      applyQuery(active, parseNameQuery(queryOf(text)))
      if (isNewText) scrollToStart(target)
    }
  }

  const stops = [searchText.subscribe(update), filterTarget.subscribe(update)]
  update()
  return () => {
    for (const end of stops) end()
    stop()
    listFilter.set(null)
  }
}

function showAllRows(
  target: FilterTarget | null,
  before: { readonly folder: string; readonly topPx: number } | null,
): void {
  if (listFilter.get() === null) return
  if (target === null) return listFilter.set(null)
  // The rows have to be in the document before the grid can scroll to them.
  flushSync(() => listFilter.set(null))
  if (before?.folder === target.folder) target.grid.current?.scrollTo(before.topPx)
}

const matchNothing: RowMatch = () => false

function startFilter(target: FilterTarget, onRows: () => void): ActiveFilter {
  const shown = createFilteredColumns(target.columns)
  return {
    target,
    shown,
    match: matchNothing,
    scan: startRowScan(target.columns, shown, matchNothing),
    timer: undefined,
    stopWatching: target.columns.summary.subscribe(onRows),
  }
}

/** Filters the rows by a query. */
function applyQuery(active: ActiveFilter, query: NameQuery): void {
  const { target, shown } = active
  active.match = createRowMatch(query)
  active.scan = startRowScan(target.columns, shown, active.match)
  continueScan(active)
  listFilter.set({
    folder: target.folder,
    shown,
    renderName: (name) =>
      createElement(MarkedName, { name, rangesOf: (text) => matchingRanges(text, query) }),
  })
}

function scrollToStart({ grid }: FilterTarget): void {
  if ((grid.current?.topPx() ?? 0) > 0) grid.current?.scrollTo(0)
}

/** Tests further rows until the time limit, and continues later when rows are left. */
function continueScan(active: ActiveFilter): void {
  const { target, shown } = active
  clearTimeout(active.timer)
  if (!active.scan.isCurrent()) active.scan = startRowScan(target.columns, shown, active.match)
  const endMs = performance.now() + maxBlockingMs
  const isDone = active.scan.advance(() => performance.now() < endMs)
  if (isDone) deselectHiddenRows(shown)
  else active.timer = setTimeout(() => continueScan(active))
}

/** Deselects rows that the filter hides, so that no action affects an entry that is not on screen. */
function deselectHiddenRows({ order, count }: ListingColumns): void {
  const { chosen } = selection.get()
  if (chosen.count === 0 || order === null) return
  const shownRows = addRows(emptyRowSet, order.subarray(0, count))
  const hidden = [...rowsIn(chosen)].filter((id) => !hasRow(shownRows, id))
  if (hidden.length > 0) selection.set((current) => withoutRows(current, hidden))
}
