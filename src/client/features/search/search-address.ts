import { nameOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, location, navigate, type Location } from '../../router/router.ts'
import { openFolder } from '../../state/open-folder.ts'
import { setTitle } from '../../state/page-title.ts'
import { userSignal } from '../../state/personal.ts'
import { searchText } from '../../state/search-text.ts'
import { userOf } from '../../state/session.ts'
import { visibleName } from '../../ui/visible-name.ts'

/**
 * The delay between the last typed letter and the change of the address. Browsers throttle pages that change their
 * history entries more often.
 */
const writeDelayMs = 300
/** The delay before the first letter changes the address. The frame with the first matches is painted before that. */
const firstWriteDelayMs = 50

/**
 * Keeps the text of the search and the query `?q=` of the address equal. The first letter adds a history entry, so that
 * Back ends the search, and further letters change that entry. Returns the function that ends the synchronisation.
 */
export function syncSearchAddress(): () => void {
  const sync = createAddressSync(userSignal())
  const stops = [location.subscribe(sync.readAddress), searchText.subscribe(sync.onText)]
  const input = new AbortController()
  // A row is opened by a press, which takes the focus out of the field. The history entry must have the final text then.
  addEventListener('focusout', sync.flush, { signal: input.signal })
  sync.readAddress()
  return () => {
    input.abort()
    sync.stop()
    for (const stop of stops) stop()
  }
}

/**
 * Creates the functions that keep both equal for as long as the user stays. The text is emptied when the user leaves, and a step
 * back in the history at that moment would bring the text to the next user.
 */
function createAddressSync(user: AbortSignal) {
  /** The text that the address contains, or will contain when a running step back in the history has finished. */
  let written = ''
  /** The key of the history entry that the search has added, or an empty string. */
  let ownKey = ''
  let isGoingBack = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (user.aborted) return
    const text = currentText()
    if (text === written || isGoingBack) return
    const isFirst = written === ''
    written = text
    if (text === '' && location.get().key === ownKey) {
      isGoingBack = true
      history.back()
      return
    }
    navigate(addressOf(text), { replace: !isFirst || text === '' })
    if (isFirst) ownKey = location.get().key
  }
  return {
    onText: () => {
      clearTimeout(timer)
      if (currentText() === '') write()
      else timer = setTimeout(write, written === '' ? firstWriteDelayMs : writeDelayMs)
    },
    readAddress: () => {
      // The address of a user who has left stays for a moment.
      if (user.aborted || userOf() === null) return
      const now = queryText(location.get())
      if (isGoingBack) {
        isGoingBack = false
        write()
      } else if (now !== written) {
        written = now
        searchText.set(now)
      } else if (currentText() !== written && timer === undefined) write()
      if (now !== '') setTitle({ text: titleOfSearch(now) })
    },
    flush: () => {
      if (timer !== undefined) write()
    },
    stop: () => clearTimeout(timer),
  }
}

const queryText = ({ screen, query }: Location): string =>
  screen === 'files' ? (new URLSearchParams(query).get('q') ?? '') : ''

/** Returns the text of the field, or an empty string while it contains only spaces. */
function currentText(): string {
  const text = searchText.get()
  return text.trim() === '' ? '' : text
}

/** Returns the folder that is searched: the folder on screen, or the folder that contains the file on screen. */
export function searchedFolder(): Path {
  const open = openFolder.get()
  if (open !== null) return open.folder
  const { screen, path, isFolder } = location.get()
  if (screen !== 'files' || path === null) return root
  return isFolder ? path : parentOf(path)
}

function addressOf(text: string): string {
  const query = new URLSearchParams(location.get().query)
  if (text === '') query.delete('q')
  else query.set('q', text)
  return `${filesUrl(searchedFolder(), true)}${query.size === 0 ? '' : `?${query.toString()}`}`
}

function titleOfSearch(text: string): string {
  const folder = visibleName(nameOf(searchedFolder()))
  const names = [t('search.title', { text }), folder, t('title.files')]
  return names.filter(Boolean).join(' - ')
}
