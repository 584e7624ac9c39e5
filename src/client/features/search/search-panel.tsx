import { useEffect, useState } from 'react'
import { X } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { closeSearch, searchInput, searchText } from '../../state/search-text.ts'
import { useStore } from '../../state/store.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Fill } from '../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { filterOpenFolder } from './folder-filter.ts'
import { followChanges } from './follow-changes.ts'
import { joinSelections } from './found-context.ts'
import { shareFoundRows } from './found-rows.ts'
import { syncSearchAddress } from './search-address.ts'
import { handleSearchKeys } from './search-keys.ts'
import { SearchResults } from './search-results.tsx'
import { SearchTiles } from './search-tiles.tsx'
import { announceMatches, searchWhileTyping } from './search-while-typing.ts'

/** Everything that the search does outside of its components. The address comes first, because it may contain a text. */
const services = [
  syncSearchAddress,
  filterOpenFolder,
  searchWhileTyping,
  announceMatches,
  handleSearchKeys,
  shareFoundRows,
  followChanges,
  joinSelections,
]

/** Renders the parts of the search that are loaded on demand: the tiles below the empty field, and the results. */
export function SearchPanel() {
  useServices()
  const text = useStore(searchText).trim()
  const hasFocus = useFieldFocus()
  const isPhone = useMedia(mobileQuery)
  return (
    <>
      {(text !== '' || isPhone) && <IconButton icon={X} label={t('search.close')} onClick={closeSearch} />}
      {text === '' && hasFocus && <SearchTiles />}
      <Fill slot="search-results">{text !== '' && <SearchResults text={text} />}</Fill>
    </>
  )
}

function useServices(): void {
  useEffect(() => {
    const stops = services.map((start) => start())
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}

/** Returns true while the search field, or a control beside or below it, has the focus. */
function useFieldFocus(): boolean {
  const [hasFocus, setFocus] = useState(() => isInSearch(document.activeElement))
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => setFocus(isInSearch(target))
    const onBlur = ({ relatedTarget }: FocusEvent): void => setFocus(isInSearch(relatedTarget))
    const ending = new AbortController()
    document.addEventListener('focusin', onFocus, { signal: ending.signal })
    document.addEventListener('focusout', onBlur, { signal: ending.signal })
    return () => ending.abort()
  }, [])
  return hasFocus
}

const isInSearch = (element: EventTarget | null): boolean =>
  element instanceof Node && searchInput()?.parentElement?.contains(element) === true
