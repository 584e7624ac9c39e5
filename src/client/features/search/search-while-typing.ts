import { t } from '../../i18n/translate.ts'
import { filterTarget } from '../../listing/grid/list-filter.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import { announce } from '../../state/announcements.ts'
import { location } from '../../router/router.ts'
import { openFolder } from '../../state/open-folder.ts'
import { searchText } from '../../state/search-text.ts'
import { searchedFolder } from './search-address.ts'
import { type FolderSearch, folderSearch, searchBelow, stopSearch } from './searcher.ts'

/** The delay between the last typed letter and the search below the folder (ux 2.6). */
const searchDelayMs = 120
/** The delay between the last typed letter and the announcement of the number of matches. */
const announceDelayMs = 600

const isIdeographic =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u

/** Returns true when a text is long enough to be searched for without a press of Enter: two letters, or one ideograph or emoji. */
export const isLongEnough = (text: string): boolean =>
  Array.from(text.trim()).length >= 2 || isIdeographic.test(text)

/**
 * Searches below the folder while the user types. Each change of the text aborts the search in flight. Returns the
 * function that ends the search.
 */
export function searchWhileTyping(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onText = (): void => {
    clearTimeout(timer)
    const text = searchText.get().trim()
    const current = folderSearch.get()
    const isCurrent = current?.text === text && current.folder === searchedFolder()
    if (!isCurrent) stopSearch('replaced')
    if (!isCurrent && isLongEnough(text))
      timer = setTimeout(() => searchBelow(searchedFolder(), text), searchDelayMs)
  }
  // The rows of another folder can be on screen before that folder counts as the open one.
  let folder = searchedFolder()
  const onFolder = (): void => {
    if (searchedFolder() === folder) return
    folder = searchedFolder()
    onText()
  }
  const stops = [
    searchText.subscribe(onText),
    filterTarget.subscribe(onText),
    openFolder.subscribe(onFolder),
    location.subscribe(onFolder),
  ]
  onText()
  return () => {
    clearTimeout(timer)
    stopSearch('replaced')
    for (const stop of stops) stop()
  }
}

/** Announces the numbers of matches to screen readers. Returns the function that ends the announcements. */
export function announceMatches(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let announced: FolderSearch | null = folderSearch.get()
  const onText = (): void => {
    clearTimeout(timer)
    if (searchText.get().trim() !== '') timer = setTimeout(announceRows, announceDelayMs)
  }
  const onSearch = (): void => {
    const search = folderSearch.get()
    if (search?.state !== 'done' || search.text === announced?.text) return
    announced = search
    announce(t('search.found', { count: search.columns.count }))
  }
  const stops = [searchText.subscribe(onText), folderSearch.subscribe(onSearch)]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

function announceRows(): void {
  const summary = folderListing.filter.get()?.shown.summary.get()
  if (summary !== undefined) announce(t('search.matches', { count: summary.total }))
}
