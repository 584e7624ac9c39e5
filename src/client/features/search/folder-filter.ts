import { createElement } from 'react'
import { flushSync } from 'react-dom'
import type { NameQuery } from '../../../shared/domain/name-query.ts'
import { type FilterTarget, filterTarget } from '../../listing/grid/list-filter.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import type { ListingColumns } from '../../listing/rows/columns.ts'
import { createRowMatch, matchingRanges, type RowMatch } from '../../listing/rows/name-match.ts'
import { createScanTarget, type RowScan, type ScanTarget, startRowScan } from '../../listing/rows/row-scan.ts'
import { commonRows } from '../../state/common-rows.ts'
import { addRows, dropRows, emptyRowSet, rowsIn } from '../../state/row-set.ts'
import { searchText } from '../../state/search-text.ts'
import { MarkedName } from '../../ui/marked-name.tsx'
import { type PreparedNames, prepareNames } from './prepare-names.ts'
import { parseSearch } from './query-words.ts'

/**
 * The maximum time in milliseconds that the filter works without a pause, so that no frame takes longer than 50 ms. A
 * million names of ASCII letters are tested in about 10 ms.
 */
const maxBlockingMs = 24

const { filter: listFilter, selection, grid } = folderListing

/** A filter of the folder on screen. */
type ActiveFilter = {
  readonly target: FilterTarget
  readonly rows: ScanTarget
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
  let prepared: PreparedNames | null = null

  const stop = (): void => {
    clearTimeout(active?.timer)
    active?.stopWatching()
    active = null
    prepared?.stop()
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
      prepared = target === null ? null : prepareNames(target.columns)
    } else if (target === null) stop()
    else {
      if (before?.folder !== target.folder)
        before = { folder: target.folder, topPx: grid.current?.topPx() ?? 0 }
      if (active?.target !== target) {
        stop()
        active = startFilter(target, prepared, () => active && continueScan(active))
        prepared = null
      }
      applyQuery(active, parseSearch(text))
      if (isNewText) grid.current?.jumpTo(0)
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
  if (before?.folder === target.folder) grid.current?.scrollTo(before.topPx)
}

const matchNothing: RowMatch = { test: () => false, asciiTerm: null }

function startFilter(target: FilterTarget, prepared: PreparedNames | null, onRows: () => void): ActiveFilter {
  const blocks = prepared?.columns === target.columns ? prepared.blocks : undefined
  const rows = createScanTarget(target.columns, blocks)
  return {
    target,
    rows,
    match: matchNothing,
    scan: startRowScan(rows, matchNothing),
    timer: undefined,
    stopWatching: target.columns.summary.subscribe(onRows),
  }
}

/** Filters the rows by a query. */
function applyQuery(active: ActiveFilter, query: NameQuery): void {
  const { target, rows } = active
  active.match = createRowMatch(query)
  active.scan = startRowScan(rows, active.match)
  continueScan(active)
  listFilter.set({
    folder: target.folder,
    shown: rows.shown,
    renderName: (name) =>
      createElement(MarkedName, { name, rangesOf: (text) => matchingRanges(text, query) }),
  })
}

/** Tests further rows until the time limit, and continues later when rows are left. */
function continueScan(active: ActiveFilter): void {
  const { rows } = active
  clearTimeout(active.timer)
  if (!active.scan.isCurrent()) active.scan = startRowScan(rows, active.match)
  const endMs = performance.now() + maxBlockingMs
  const isDone = active.scan.advance(() => performance.now() < endMs)
  if (isDone) deselectHiddenRows(rows.shown, active.match)
  else active.timer = setTimeout(() => continueScan(active))
}

/** Up to this many selected rows are tested one by one, which is faster than a set of all rows that match. */
const maxTestedRows = 1000

/** Deselects rows that the filter hides, so that no action affects an entry that is not on screen. */
function deselectHiddenRows(shown: ListingColumns, match: RowMatch): void {
  const { chosen } = selection.get()
  const { order, count } = shown
  if (chosen.count === 0 || order === null) return
  const kept =
    chosen.count > maxTestedRows
      ? commonRows(chosen, addRows(emptyRowSet, order.subarray(0, count)))
      : dropRows(
          chosen,
          Array.from(rowsIn(chosen)).filter((id) => !match.test(shown, id)),
        )
  if (kept.count < chosen.count) selection.set((current) => ({ ...current, chosen: kept, anchorId: -1 }))
}
