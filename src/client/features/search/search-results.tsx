import { useEffect, useState } from 'react'
import { CircleAlert, RefreshCw, Search, X } from 'lucide'
import { type Path, root } from '../../../shared/domain/path.ts'
import { formatCount } from '../../i18n/locale.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { hasSelectedRows } from '../../listing/grid/select-in-lists.ts'
import { activeListing, deselectAll, folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import { SortMenu } from '../../listing/grid/sort-menu.tsx'
import { filesUrl, navigate } from '../../router/router.ts'
import { useLocation } from '../../router/use-location.ts'
import { openFolder } from '../../state/open-folder.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { searchInput, searchText } from '../../state/search-text.ts'
import { clearSelection } from '../../state/selection.ts'
import { useViewMode } from '../../state/device/folder-views.ts'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Fill } from '../../ui/slot.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { useRootMark } from '../../ui/root/use-root-mark.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { foundColumns, ResultGrid } from './result-grid.tsx'
import { searchedFolder } from './search-address.ts'
import {
  foundOrder,
  sortResults,
  type FolderSearch,
  folderSearch,
  repeatSearch,
  searchBelow,
  stopSearch,
} from './searcher.ts'
import { isLongEnough } from './search-while-typing.ts'
import { noKindText, noMatchText } from './no-match-text.ts'
import { fileKinds, hasWord, toggleWord } from './query-words.ts'
import styles from './search-results.module.css'

/**
 * Renders the results of a search below the matching rows of the folder: the hits in its subfolders, and the kinds of
 * files by which the search can be narrowed.
 */
export function SearchResults({ text }: { readonly text: string }) {
  const search = useSearchFor(text)
  const matches = useMatchCount()
  const hasNoMatch = matches === 0
  const count = useHitCount(search)
  const { chosen } = useStore(foundListing.selection)
  const { chosen: chosenRows } = useStore(folderListing.selection)
  const [chosenPane, choosePane] = useChosenPane(text)
  const pane = chosenPane ?? (hasNoMatch ? 'below' : 'here')
  // Only a phone shows the empty list of the folder without the results below it.
  const isOnlyHere = useMedia(mobileQuery) && pane === 'here'
  useKeysOfShownList(pane, count === 0)
  const isChoosing = chosen.count + chosenRows.count > 0
  // The style sheets adapt both lists: their heights, and on phones which one is shown.
  useRootMark('results', classNames(pane, count === 0 && 'none', isChoosing && 'choosing'))
  return (
    <section
      className={styles.results}
      aria-label={t('search.results')}
      data-part="search-results"
      data-pane={pane}
    >
      {hasNoMatch && (count === 0 || isOnlyHere) && (
        <p className={styles.none}>
          {noMatchText(text)}
          {search === null && <SearchBelowButton text={text} />}
        </p>
      )}
      <div className={styles.bar}>
        <h2 className={styles.title}>{t('search.below')}</h2>
        {search !== null && <Progress search={search} />}
        {count > 0 && search !== null && <ResultSort folder={search.folder} />}
        <KindChips />
      </div>
      {search === null ? (
        <p className={styles.note}>{isLongEnough(text) ? '' : t('search.pressEnter')}</p>
      ) : (
        <ResultGrid key={`${search.folder}\n${search.text}`} search={search} />
      )}
      {search !== null && <Outcome search={search} />}
      {search !== null && <Unsearched search={search} />}
      {search !== null && hasEnded(search) && count > 0 && (
        <Fill slot="status">
          <span className={styles.found}>{t('search.found', { count })}</span>
        </Fill>
      )}
      <PaneSwitch pane={pane} matches={matches} search={search} onSwitch={choosePane} />
    </section>
  )
}

/** Renders the menu for the order of the results in the mosaic and the gallery, which have no column headings. */
function ResultSort({ folder }: { readonly folder: Path }) {
  const order = useStore(foundOrder)
  if (useViewMode(folder) === 'list') return null
  return (
    <div className={styles.order}>
      <SortMenu columns={foundColumns} order={order} onSort={sortResults} />
    </div>
  )
}

/** The two lists of a search: the matching rows of the folder, and the results in its subfolders. */
type SearchPane = 'here' | 'below'

/** The list that the user has chosen, for the text with which the page shows it again after *Back*. */
const savedPane = createPersonalStore<{ readonly text: string; readonly pane: SearchPane | null }>({
  text: '',
  pane: null,
})

/** Returns the list that the user has chosen while the search is open, or null, and the function that chooses one. */
function useChosenPane(text: string): readonly [SearchPane | null, (pane: SearchPane) => void] {
  const [pane, setPane] = useState(() => (savedPane.get().text === text ? savedPane.get().pane : null))
  useEffect(() => savedPane.set({ text, pane }), [text, pane])
  const choosePane = (next: SearchPane): void => {
    // The selection bar would offer actions for rows that are not on screen.
    deselectAll()
    setPane(next)
  }
  return [pane, choosePane]
}

/**
 * Keeps the keys away from a list that is not on screen: on phones the list of the other pane, whose rows are deselected as
 * well, and elsewhere the results while there are none.
 */
function useKeysOfShownList(pane: SearchPane, isEmpty: boolean): void {
  const isPhone = useMedia(mobileQuery)
  const [shown, hidden] = pane === 'here' ? [folderListing, foundListing] : [foundListing, folderListing]
  // A new search replaces the list of results, which then gives the keys back to the folder. The effect therefore runs again.
  useEffect(() => {
    if (!isPhone && isEmpty) activeListing.set(folderListing)
    if (!isPhone) return
    activeListing.set(shown)
    if (hasSelectedRows(hidden)) hidden.selection.set(clearSelection)
  })
  useEffect(() => () => activeListing.set(folderListing), [])
}

type PaneSwitchProps = {
  readonly pane: SearchPane
  /** The number of matching rows of the folder, or null while it is not known. */
  readonly matches: number | null
  /** The search below the folder, or null before its start. */
  readonly search: FolderSearch | null
  readonly onSwitch: (pane: SearchPane) => void
}

/** Renders the switch between the two lists, which is shown on phones: the lists together would be too short there. */
const PaneSwitch = ({ pane, matches, search, onSwitch }: PaneSwitchProps) => (
  <fieldset className={styles.panes}>
    <legend className="visually-hidden">{t('search.panes')}</legend>
    {(['here', 'below'] as const).map((each) => (
      <button
        key={each}
        type="button"
        className={styles.pane}
        aria-pressed={each === pane}
        onClick={() => onSwitch(each)}
      >
        {t(`search.pane.${each}`)}
        {each === 'here' ? matches !== null && <PaneCount count={matches} /> : <BelowState search={search} />}
      </button>
    ))}
  </fieldset>
)

const PaneCount = ({ count }: { readonly count: number }) => (
  <span className={styles.paneCount}>{formatCount(count)}</span>
)

/** Returns true when all results are on screen. */
const hasEnded = ({ state, isRefresh }: FolderSearch): boolean => state === 'done' || isRefresh

/** Returns true while the results of a new search are arriving. */
const isSearching = ({ state, isRefresh }: FolderSearch): boolean =>
  (state === 'running' || state === 'replaced') && !isRefresh

/** Shows how many results there are below the folder, that the search is running, or that it has failed. */
function BelowState({ search }: { readonly search: FolderSearch | null }) {
  const count = useHitCount(search)
  if (search === null) return null
  const isBusy = isSearching(search)
  if (search.state === 'failed') return <Icon icon={CircleAlert} size={16} />
  return (
    <>
      {isBusy && <Spinner />}
      {(!isBusy || count > 0) && <PaneCount count={count} />}
    </>
  )
}

/**
 * Returns the search whose results are shown. While the next search has not started yet, these are the results of the
 * previous text. Returns null before the first search and for a text that is too short.
 */
function useSearchFor(text: string): FolderSearch | null {
  const search = useStore(folderSearch)
  // The searched folder depends on both. Its search can end before the folder is on screen.
  useStore(openFolder)
  useLocation()
  if (search?.folder !== searchedFolder()) return null
  return search.text === text || isLongEnough(text) ? search : null
}

const noSummary = Object.freeze({ get: () => null, subscribe: () => () => undefined })

/** Returns the number of hits that have arrived. */
const useHitCount = (search: FolderSearch | null): number =>
  useStore(search?.columns.summary ?? noSummary)?.total ?? 0

/** Returns the number of matching rows of the folder on screen, or null while no folder is on screen. */
const useMatchCount = (): number | null =>
  useStore(useStore(folderListing.filter)?.shown.summary ?? noSummary)?.total ?? null

const SearchBelowButton = ({ text }: { readonly text: string }) => (
  <Button kind="quiet" icon={Search} onClick={() => searchBelow(searchedFolder(), text)}>
    {t('search.everywhere')}
  </Button>
)

/** Shows the number of hits and, while the search is running, the button that ends it. */
function Progress({ search }: { readonly search: FolderSearch }) {
  const count = useHitCount(search)
  if (!isSearching(search))
    return <span className={styles.count}>{count > 0 && t('search.count', { count })}</span>
  return (
    <>
      <span className={styles.count}>
        <Spinner />
        {t('search.running', { count })}
      </span>
      <Button kind="quiet" icon={X} className={styles.stop} onClick={() => stopSearch('stopped')}>
        {t('search.stop')}
      </Button>
    </>
  )
}

/** Renders a switch for each kind of file. The switches change the text in the search field. */
function KindChips() {
  const text = useStore(searchText)
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">{t('search.types')}</legend>
      {fileKinds.map(({ word, label }) => (
        <button
          key={word}
          type="button"
          className={styles.chip}
          aria-pressed={hasWord(text, word)}
          onClick={() => searchText.set(toggleWord(text, word))}
        >
          {t(label)}
        </button>
      ))}
    </fieldset>
  )
}

/**
 * Opens the top folder with the same text, so that all folders are searched. The focus goes to the field, because the
 * pressed button disappears.
 */
function searchAllFolders(): void {
  searchInput()?.focus()
  navigate(`${filesUrl(root, true)}?q=${encodeURIComponent(searchText.get())}`)
}

/** Runs the search again. The focus goes to the field, because the pressed button disappears. */
function retry(): void {
  searchInput()?.focus()
  repeatSearch()
}

/** Says after a search how many folders it could not enter. */
const Unsearched = ({ search }: { readonly search: FolderSearch }) =>
  search.unsearched > 0 &&
  hasEnded(search) && (
    <output className={styles.note}>{t('search.unsearched', { count: search.unsearched })}</output>
  )

/** Explains the end of a search that failed, was stopped, found nothing, or found more than the server sends. */
function Outcome({ search }: { readonly search: FolderSearch }) {
  const { state, isTruncated, reason, text } = search
  const count = useHitCount(search)
  const hidesDotfiles = useUser()?.hideDotfiles === true
  if (state === 'failed')
    return (
      <p className={styles.note} role="alert">
        {reason}
        <Button icon={RefreshCw} onClick={retry}>
          {t('buttons.retry')}
        </Button>
      </p>
    )
  if (state === 'stopped')
    return (
      <p className={styles.note}>
        {t('search.stopped')}
        <Button kind="quiet" icon={Search} onClick={retry}>
          {t('search.again')}
        </Button>
      </p>
    )
  if (isTruncated) return <p className={styles.note}>{t('search.truncated', { count })}</p>
  if (isSearching(search) || count > 0) return null
  const nothing = noKindText(text, 'below') ?? t('search.nothing', { text: visibleName(text) })
  return (
    <p className={styles.note}>
      <span>{hidesDotfiles ? sentences(nothing, t('search.hiddenFiles')) : nothing}</span>
      {search.folder !== root && (
        <Button kind="quiet" icon={Search} onClick={searchAllFolders}>
          {t('search.allFolders')}
        </Button>
      )}
    </p>
  )
}
