import { createElement } from 'react'
import { createNameMatch } from '../../../shared/domain/name-query.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { call, isAborted } from '../../api/call.ts'
import { folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import { carrySelection } from '../../listing/rows/carry-selection.ts'
import type { ListingColumns } from '../../listing/rows/columns.ts'
import { fetchHits, type HitGaps } from '../../listing/rows/fetch-hits.ts'
import {
  appendFound,
  createFoundColumns,
  filterFound,
  type FoundEntry,
  type FoundOrder,
  sortFound,
} from '../../listing/rows/found-columns.ts'
import { matchingRanges } from '../../listing/rows/name-match.ts'
import { reasonOfSearch } from '../../operations/reason.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { selectionIn } from '../../state/selection.ts'
import { MarkedName } from '../../ui/marked-name.tsx'
import { parseSearch, queryOf } from './query-words.ts'
import { foundEntryOf } from './search-hit.ts'

/** A search below a folder with the hits that have arrived. */
export type FolderSearch = {
  readonly folder: Path
  readonly text: string
  /** `replaced` means that the user has typed a further letter, so that the search for the next text follows. */
  readonly state: 'running' | 'done' | 'stopped' | 'replaced' | 'failed'
  /** The hits as rows of the list of results. */
  readonly columns: ListingColumns
  /** True when the search is repeated for results that are on screen. They stay as they are until its end. */
  readonly isRefresh: boolean
  /** True when the server has left out hits because there are too many. */
  readonly isTruncated: boolean
  /** The number of folders that could not be searched, because the server cannot reach them. */
  readonly unsearched: number
  /** The reason why the search has failed as a sentence, or an empty string. */
  readonly reason: string
}

/** The latest search below a folder, or null before the first search. It stays available for the Back button. */
export const folderSearch = createPersonalStore<FolderSearch | null>(null)

/** The order of results. It stays for the next search. */
export const foundOrder = createPersonalStore<FoundOrder>({ by: 'folder', descending: false })

/**
 * The time in milliseconds until the first results are shown. Most searches have ended by then, so that all results come in
 * the order of their folders. Results of the search before stay on screen until then.
 */
const gatherMs = 300
/** The minimum time between two further changes of the results on screen, in milliseconds. */
const publishMs = 100

/** The request in flight. A new search aborts it. */
const inFlight = createPersonalStore(new AbortController())

/** Starts a search, unless the same search is running or has its results already. */
export function searchBelow(folder: Path, text: string): void {
  const current = folderSearch.get()
  const isSame = current?.folder === folder && current.text === text
  if (isSame && (current.state === 'running' || current.state === 'done')) return
  void runSearch(folder, text)
}

/** Runs the latest search again, because its results are out of date or it has failed. */
export function repeatSearch(): void {
  const current = folderSearch.get()
  if (current !== null) void runSearch(current.folder, current.text)
}

/** Ends the running search, because the user wants this or because another search follows. Keeps the hits that have arrived. */
export function stopSearch(state: 'stopped' | 'replaced'): void {
  if (folderSearch.get()?.state !== 'running') return
  inFlight.get().abort()
  folderSearch.set((now) => now && { ...now, state, isRefresh: false })
}

async function runSearch(folder: Path, text: string): Promise<void> {
  stopSearch('replaced')
  const abort = new AbortController()
  inFlight.set(abort)
  const signal = AbortSignal.any([abort.signal, userSignal()])
  const last = folderSearch.get()
  const isRepeated = last?.folder === folder && last.text === text
  const isRefresh = isRepeated && (last.state === 'done' || last.isRefresh)
  const { isTruncated, unsearched } = isRefresh ? last : noGaps
  const hits = collectHits({ isRepeated, signal })
  showSearch({
    folder,
    text,
    state: 'running',
    columns: columnsFor(folder, text),
    isRefresh,
    isTruncated,
    unsearched,
    reason: '',
  })
  try {
    const gaps = await fetchHits(call, { folder, query: queryOf(text), allTerms: 'true', signal }, (found) =>
      hits.add(found.flatMap((hit) => foundEntryOf(folder, hit) ?? [])),
    )
    hits.end()
    if (!signal.aborted)
      folderSearch.set((now) => now && { ...now, state: 'done', isRefresh: false, ...gaps })
  } catch (thrown) {
    const reason = reasonOfSearch(thrown)
    const end = isRefresh
      ? ({ state: 'done', isRefresh: false } as const)
      : ({ state: 'failed', reason } as const)
    if (!isAborted(thrown)) folderSearch.set((now) => now && { ...now, ...end })
  }
}

const noGaps: HitGaps = { isTruncated: false, unsearched: 0 }

type CollectOptions = {
  /** True for a search that is repeated. It replaces its hits at its end, so that the focus and the selection stay until then. */
  readonly isRepeated: boolean
  readonly signal: AbortSignal
}

/** Collects the hits of a search, and shows them in steps. The first ones replace the hits of the search before. */
function collectHits({ isRepeated, signal }: CollectOptions): {
  readonly add: (entries: readonly FoundEntry[]) => void
  readonly end: () => void
} {
  const columns = createFoundColumns()
  let waiting: FoundEntry[] = []
  let shownMs = performance.now()
  const initialOrder = foundOrder.get()
  const show = (): void => {
    if (signal.aborted) return
    const isFirst = columns.ids === 0
    appendFound(columns, waiting)
    waiting = []
    shownMs = performance.now()
    if (isFirst) sortFound(columns, foundOrder.get())
    const search = folderSearch.get()
    if (search !== null && search.columns !== columns) showSearch({ ...search, columns })
  }
  return {
    add: (entries) => {
      waiting.push(...entries)
      const waitMs = columns.ids === 0 ? gatherMs : publishMs
      if (!isRepeated && performance.now() - shownMs > waitMs) show()
    },
    end: () => {
      show()
      const order = foundOrder.get()
      // The headings say that the rows have the order that the user has chosen meanwhile.
      if (!signal.aborted && (order !== initialOrder || !isInUse())) sortFound(columns, order)
    },
  }
}

/** Shows a search. The selected results stay selected when they are among the results of the same search. */
function showSearch(search: FolderSearch): void {
  const last = folderSearch.get()
  const { folder, text, columns } = search
  const { selection } = foundListing
  if (last?.columns === columns) return folderSearch.set(search)
  if (last?.folder === folder && last.text === text)
    selection.set((now) => carrySelection(now, last.columns, columns))
  else selection.set({ ...selectionIn(folder), isMultiple: folderListing.selection.get().isMultiple })
  const query = parseSearch(text)
  // The field of a rename asks for the results when the rows of the list change.
  folderSearch.set(search)
  foundListing.columns.set(columns)
  foundListing.filter.set({
    folder,
    shown: columns,
    renderName: (name) =>
      createElement(MarkedName, { name, rangesOf: (part) => matchingRanges(part, query) }),
  })
}

/**
 * Returns true while a result is selected or has the focus, so that the rows must stay where they are. A heading with the
 * focus does not count.
 */
function isInUse(): boolean {
  if (foundListing.selection.get().chosen.count > 0) return true
  const row = document.activeElement?.closest(`#${foundListing.id} [data-index]`) ?? null
  return row !== null
}

/**
 * Returns the hits of the search before that match a text. They stay on screen until the first new ones replace them, so
 * that the list does not blink.
 */
function columnsFor(folder: Path, text: string): ListingColumns {
  const last = folderSearch.get()
  if (last?.folder !== folder) return createFoundColumns()
  return last.text === text ? last.columns : filterFound(last.columns, isHitOf(text))
}

/** Returns a test whether the name of an entry matches a text. */
export function isHitOf(text: string): (path: Path) => boolean {
  const matches = createNameMatch(parseSearch(text))
  return (path) => matches(nameOf(path))
}

/** Sorts the results by a column, or reverses their order when they are sorted by that column. */
export function sortResults(by: FoundOrder['by']): void {
  foundOrder.set((now) => ({ by, descending: now.by === by && !now.descending }))
  const search = folderSearch.get()
  if (search === null) return
  sortFound(search.columns, foundOrder.get())
  foundListing.grid.current?.scrollTo(0)
}
