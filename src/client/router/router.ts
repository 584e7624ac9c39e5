import { encodePath, root, type Path } from '../../shared/domain/path.ts'
import { registerPersonal } from '../state/personal.ts'
import { createStore, type Store } from '../state/store.ts'
import { userOf } from '../state/session.ts'
import { entryState, evictMemories, type HistoryEntryState } from './entry-memory.ts'
import { belowBase, routeOf, type Route } from './location.ts'

/** A route with the key of its history entry. Two visits of the same address have different keys. */
export type Location = Route & { readonly key: string }

export type NavigateOptions = { readonly replace?: boolean }

/** A function that is called before the address changes. It returns true to allow the change. */
type NavigationBlocker = () => boolean | Promise<boolean>

/** The location before the router starts. It has no path, so that nothing is opened. */
const initialLocation: Location = {
  screen: 'files',
  path: null,
  isFolder: true,
  rawPath: '/files/',
  query: '',
  key: 'start',
}

export const location: Store<Location> = createStore<Location>(initialLocation)

let base = ''
let guard: (route: Route) => string | null = () => null
let currentIndex = 0
let isReturning = false
const blockers = new Set<NavigationBlocker>()

registerPersonal({
  drop: () => {
    if (blockers.size > 0) removeEventListener('beforeunload', warnBeforeUnload)
    blockers.clear()
  },
})

/** Starts the router. `guardOf` returns the address to show instead of a route, or null to show the route. */
export function startRouter(options: { base: string; guardOf: (route: Route) => string | null }): void {
  base = options.base
  guard = options.guardOf
  currentIndex = entryState().index
  show({ isNew: false })
  addEventListener('popstate', () => void onPop())
}

/** Navigates to an address below the base path, such as `/files/a%20b/?q=x`, unless a blocker prevents the change. */
export function navigate(to: string, options: NavigateOptions = {}): void {
  if (blockers.size === 0) goTo(to, options)
  else void navigateUnlessBlocked(to, options)
}

async function navigateUnlessBlocked(to: string, options: NavigateOptions): Promise<void> {
  if (await mayLeave()) goTo(to, options)
}

/** Returns the address of a file or folder below the base path. */
export const filesUrl = (path: Path, isFolder: boolean): string =>
  `/files${encodePath(path)}${isFolder && path !== root ? '/' : ''}`

/** Returns the address at which the text of a file is edited. Without the query, a document is shown as what it is. */
export const editUrl = (path: Path): string => `${filesUrl(path, false)}?edit`

/** Applies the guards to the current address again, after a login or a logout. */
export const checkGuards = (): void => show({ isNew: false })

/** Adds the base path to an address, for an `href`. */
export const withBase = (to: string): string => `${base}${to}`

export const basePath = (): string => base

/**
 * Registers a blocker and returns the function that removes it. While a blocker is registered, the browser also asks
 * before the tab is closed.
 */
export function block(blocker: NavigationBlocker): () => void {
  blockers.add(blocker)
  addEventListener('beforeunload', warnBeforeUnload)
  return () => {
    blockers.delete(blocker)
    if (blockers.size === 0) removeEventListener('beforeunload', warnBeforeUnload)
  }
}

const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Asks all blockers, as before a change of the address. */
export async function mayLeave(): Promise<boolean> {
  for (const blocker of blockers) if (!(await blocker())) return false
  return true
}

function goTo(to: string, { replace = false }: NavigateOptions): void {
  const isSame = withBase(to) === window.location.pathname + window.location.search
  if (replace || isSame) history.replaceState(entryState(currentIndex), '', withBase(to))
  else {
    currentIndex += 1
    history.pushState({ index: currentIndex, key: newKey() }, '', withBase(to))
    evictMemories()
  }
  show({ isNew: isSame })
}

/**
 * Handles Back and Forward. The browser has already changed the address then, so the router first returns to the old
 * address and calls the blockers there.
 */
async function onPop(): Promise<void> {
  if (isReturning) {
    isReturning = false
    return
  }
  const targetIndex = entryState().index
  const delta = targetIndex - currentIndex
  if (blockers.size > 0 && delta !== 0) {
    isReturning = true
    history.go(-delta)
    if (!(await mayLeave())) return
    isReturning = true
    addEventListener('popstate', () => arriveAt(targetIndex), { once: true })
    history.go(delta)
    return
  }
  arriveAt(targetIndex)
}

function arriveAt(index: number): void {
  currentIndex = index
  show({ isNew: false })
}

/**
 * Publishes the location of the current address after applying redirects. With `isNew` the location is published even
 * when it is the same as before.
 */
function show({ isNew }: { isNew: boolean }): void {
  const { pathname, search } = window.location
  const found = routeOf(belowBase(pathname, base) ?? '/files/', search)
  const isForeign = isEntryOfAnotherUser()
  const redirect = isForeign ? '/files/' : 'redirect' in found ? found.redirect : guard(found)
  if (redirect !== null) {
    const state = isForeign ? { index: currentIndex, key: newKey() } : entryState(currentIndex)
    history.replaceState(state, '', withBase(redirect))
    show({ isNew })
    return
  }
  const { key } = markEntry()
  const route = found as Route
  location.set((before) => (!isNew && isSameLocation(before, route, key) ? before : { ...route, key }))
}

/**
 * Returns true when another user has visited the current history entry. Its address may contain names of that user's
 * folders.
 */
function isEntryOfAnotherUser(): boolean {
  const { userId } = entryState(currentIndex)
  const user = userOf()
  return userId !== undefined && user !== null && userId !== user.id
}

/** Marks the current history entry as visited by the signed-in user, and returns the state of the entry. */
function markEntry(): HistoryEntryState {
  const state = entryState(currentIndex)
  const user = userOf()
  if (user === null || state.userId === user.id) return state
  const marked = { ...state, userId: user.id }
  history.replaceState(marked, '')
  return marked
}

const isSameLocation = (before: Location, now: Route, key: string): boolean =>
  before.key === key &&
  before.rawPath === now.rawPath &&
  before.query === now.query &&
  before.screen === now.screen

const newKey = (): string => Math.random().toString(36).slice(2, 10)
