import { isWithin, parentOf, type Path } from '../../../shared/domain/path.ts'
import { foundListing } from '../../listing/grid/shown-listings.ts'
import { idOfName } from '../../listing/rows/columns.ts'
import { followedResults, resultsChanged } from '../../listing/rows/followed-results.ts'
import { pathsOfFound } from '../../listing/rows/found-columns.ts'
import { type EntryChange, entryChanged } from '../../state/entry-changes.ts'
import { searchText } from '../../state/search-text.ts'
import { folderSearch, repeatSearch } from './searcher.ts'

/** The delay before a search is repeated after a change, in milliseconds. One repetition covers all changes in it. */
const settleMs = 300
/** The number of folders with results whose changes the server reports. Each takes a watch of the server's system. */
const maxFollowed = 100

const isOnScreen = (): boolean => searchText.get().trim() === folderSearch.get()?.text

/**
 * Keeps the results on screen up to date: repeats the search after this tab has moved, copied or created an entry in the
 * searched folder, after others have changed a folder with results, and when the user comes back to the results or to the
 * tab. Returns the function that ends this.
 */
export function followChanges(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const repeatSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(repeat, settleMs)
  }
  const repeat = (): void => {
    // While a name is edited in its row, the row has to stay.
    if (foundListing.edited.get() !== null) repeatSoon()
    else if (isOnScreen()) repeatSearch()
  }
  const onOwnChange = ({ to }: EntryChange): void => {
    const search = folderSearch.get()
    if (search === null || to === null || !isWithin(to, search.folder)) return
    if (idOfName(search.columns, to) !== -1) return
    if (isOnScreen()) repeatSoon()
    else folderSearch.set(null)
  }
  const onReturn = (): void => {
    if (document.visibilityState === 'visible' && isOnScreen()) repeatSoon()
  }
  const stops = [
    entryChanged.subscribe(onOwnChange),
    resultsChanged.subscribe(repeatSoon),
    folderSearch.subscribe(follow),
    searchText.subscribe(follow),
  ]
  document.addEventListener('visibilitychange', onReturn)
  onReturn()
  follow()
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
    document.removeEventListener('visibilitychange', onReturn)
    followedResults.set([])
  }
}

/** Asks the server to report the changes of the folders that contain results. */
function follow(): void {
  const search = isOnScreen() ? folderSearch.get() : null
  const folders = new Set<Path>()
  for (const path of search === null ? [] : pathsOfFound(search.columns)) {
    folders.add(parentOf(path))
    if (folders.size === maxFollowed) break
  }
  // The end of a search changes no folders. Each request to follow them begins their watches anew.
  followedResults.set((now) => (isSameList(now, [...folders]) ? now : [...folders]))
}

const isSameList = (a: readonly Path[], b: readonly Path[]): boolean =>
  a.length === b.length && a.every((path, at) => path === b[at])
