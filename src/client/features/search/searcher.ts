import { createNameMatch } from '../../../shared/domain/name-query.ts'
import { isWithin, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { call, isAborted } from '../../api/call.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { fetchHits, type HitGaps } from '../../listing/rows/fetch-hits.ts'
import { reasonOfSearch } from '../../operations/reason.ts'
import { clearFound, foundSelection } from './found-selection.ts'
import { type FoundEntry, foundEntryOf } from './search-hit.ts'
import { parseSearch, queryOf } from './query-words.ts'

/** A search below a folder with the hits that have arrived. */
export type FolderSearch = {
  readonly folder: Path
  readonly text: string
  /** `replaced` means that the user has typed a further letter, so that the search for the next text follows. */
  readonly state: 'running' | 'done' | 'stopped' | 'replaced' | 'failed'
  readonly entries: readonly FoundEntry[]
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
  let arrived: FoundEntry[] = []
  let publishedMs = performance.now()
  const publish = (changes: Partial<FolderSearch> = {}): void => {
    if (signal.aborted) return
    const entries = inFolderOrder(arrived)
    arrived = []
    publishedMs = performance.now()
    folderSearch.set((now) => {
      if (now === null) return now
      const all = isKept ? entries : [...now.entries, ...entries]
      const isSorted = changes.state === 'done' && !isInUse()
      return { ...now, entries: isSorted ? inFolderOrder(all) : all, ...changes }
    })
    isKept = false
    isFirst = false
  }
  const last = folderSearch.get()
  const isRepeated = last?.folder === folder && last.text === text
  if (!isRepeated) clearFound()
  /** True while the hits of the search before are on screen. The first hits replace them, so that the list does not blink. */
  let isKept = last?.folder === folder
  let isFirst = true
  const shown = isKept && last !== null ? entriesFor(text, last.entries) : []
  const isRefresh = isRepeated && (last.state === 'done' || last.isRefresh)
  const gaps = isRefresh ? gapsOf(last) : gapsOf({ isTruncated: false, unsearched: 0 })
  folderSearch.set({ folder, text, state: 'running', entries: shown, isRefresh, ...gaps, reason: '' })
  try {
    const found = await fetchHits(
      call,
      { folder, query: queryOf(text), allTerms: 'true', signal },
      (hits) => {
        for (const hit of hits) {
          const entry = foundEntryOf(folder, hit)
          if (entry !== null) arrived.push(entry)
        }
        // A repeated search replaces its hits at its end, so that the focus and the selection stay until then.
        if (isRepeated) return
        if (performance.now() - publishedMs > (isFirst ? gatherMs : publishMs)) publish()
      },
    )
    publish({ state: 'done', isRefresh: false, ...found })
  } catch (thrown) {
    const reason = reasonOfSearch(thrown)
    const end = isRefresh
      ? ({ state: 'done', isRefresh: false } as const)
      : ({ state: 'failed', reason } as const)
    if (!isAborted(thrown)) folderSearch.set((now) => now && { ...now, ...end })
  }
}

const gapsOf = ({ isTruncated, unsearched }: HitGaps): HitGaps => ({ isTruncated, unsearched })

/** Returns true while a result is selected or has the focus, so that the rows must stay where they are. */
const isInUse = (): boolean =>
  foundSelection.get().paths.size > 0 || !!document.activeElement?.closest('[data-found]')

/** Sorts entries by their folder, a folder before its subfolders. The server sends the subfolders of a folder among its entries. */
const inFolderOrder = (entries: readonly FoundEntry[]): readonly FoundEntry[] =>
  entries.toSorted((a, b) => compareNames(parentOf(a.path), parentOf(b.path)))

/** Returns the entries of the search before that match a text. They stay on screen until the first hits have arrived. */
function entriesFor(text: string, entries: readonly FoundEntry[]): readonly FoundEntry[] {
  const matches = createNameMatch(parseSearch(text))
  return entries.filter(({ path }) => matches(nameOf(path)))
}

/** Removes entries, and everything below them, from the results. */
export const dropFound = (paths: readonly Path[]): void =>
  folderSearch.set(
    (now) =>
      now && {
        ...now,
        entries: now.entries.filter(({ path }) => !paths.some((removed) => isWithin(path, removed))),
      },
  )

/**
 * Changes the paths of an entry, and of everything below it, after the entry was renamed. Like a row of the folder, an entry
 * whose new name does not match the search any more leaves the results.
 */
export const renameFound = (from: Path, to: Path): void =>
  folderSearch.set(
    (now) =>
      now && {
        ...now,
        entries: entriesFor(
          now.text,
          now.entries.map((entry) =>
            isWithin(entry.path, from)
              ? { ...entry, path: `${to}${entry.path.slice(from.length)}` as Path }
              : entry,
          ),
        ),
      },
  )
