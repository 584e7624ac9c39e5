import { encodePath, root, type Path } from '../../shared/domain/path.ts'
import { createStore, type Store } from '../state/store.ts'
import { entryState, forgetLater } from './entry-memory.ts'
import { belowBase, placeOf, type Place } from './location.ts'

/** A place with the key of its history entry: two visits of one address are two entries. */
export type Location = Place & { readonly key: string }

export type NavigateOptions = { readonly replace?: boolean }

/** Asked before the place changes; true lets it. */
export type Blocker = () => boolean | Promise<boolean>

const nowhere: Location = {
  screen: 'files',
  path: root,
  isFolder: true,
  rawPath: '/files/',
  query: '',
  key: 'start',
}

export const location: Store<Location> = createStore<Location>(nowhere)

let base = ''
let guard: (place: Place) => string | null = () => null
let current = 0
let isReturning = false
const blockers = new Set<Blocker>()

/** Starts to follow the address. `guardOf` names the address to show instead of a place, or null. */
export function startRouter(options: { base: string; guardOf: (place: Place) => string | null }): void {
  base = options.base
  guard = options.guardOf
  current = entryState().index
  show({ isNew: false })
  addEventListener('popstate', () => void onPop())
}

/** Goes to an address below the base path, such as `/files/a%20b/?q=x`. */
export function navigate(to: string, options: NavigateOptions = {}): void {
  if (blockers.size === 0) push(to, options)
  else void leaveFor(to, options)
}

async function leaveFor(to: string, options: NavigateOptions): Promise<void> {
  if (await leave()) push(to, options)
}

/** The address of a file or folder. */
export const filesAddress = (path: Path, isFolder: boolean): string =>
  `/files${encodePath(path)}${isFolder && path !== root ? '/' : ''}`

/** Judges the present place again: after a login, a logout. */
export const checkGuards = (): void => show({ isNew: false })

/** An address below the base path as the browser needs it (`href`). */
export const withBase = (to: string): string => `${base}${to}`

export const basePath = (): string => base

/** Registers a blocker; the returned function takes it away. Closing the tab asks too, in the browser's own words. */
export function block(blocker: Blocker): () => void {
  blockers.add(blocker)
  addEventListener('beforeunload', warn)
  return () => {
    blockers.delete(blocker)
    if (blockers.size === 0) removeEventListener('beforeunload', warn)
  }
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

async function leave(): Promise<boolean> {
  for (const blocker of blockers) if (!(await blocker())) return false
  return true
}

function push(to: string, { replace = false }: NavigateOptions): void {
  const isSame = withBase(to) === window.location.pathname + window.location.search
  if (replace || isSame) history.replaceState(entryState(current), '', withBase(to))
  else {
    current += 1
    history.pushState({ index: current, key: newKey() }, '', withBase(to))
    forgetLater()
  }
  show({ isNew: isSame })
}

/** The browser has moved already. Where a blocker may object, it is taken back until the blocker has answered. */
async function onPop(): Promise<void> {
  if (isReturning) {
    isReturning = false
    return
  }
  const wanted = entryState().index
  const delta = wanted - current
  if (blockers.size > 0 && delta !== 0) {
    isReturning = true
    history.go(-delta)
    if (!(await leave())) return
    isReturning = true
    addEventListener('popstate', () => settle(wanted), { once: true })
    history.go(delta)
    return
  }
  settle(wanted)
}

function settle(index: number): void {
  current = index
  show({ isNew: false })
}

/** Publishes the place of the present address, after redirects. `isNew`: the same address was asked for once more. */
function show({ isNew }: { isNew: boolean }): void {
  const { pathname, search } = window.location
  const found = placeOf(belowBase(pathname, base) ?? '/files/', search)
  const instead = 'redirect' in found ? found.redirect : guard(found)
  if (instead !== null) {
    history.replaceState(entryState(current), '', withBase(instead))
    show({ isNew })
    return
  }
  const { key } = entryState(current)
  const place = found as Place
  location.set((was) => (!isNew && isSamePlace(was, place, key) ? was : { ...place, key }))
}

const isSamePlace = (was: Location, now: Place, key: string): boolean =>
  was.key === key && was.rawPath === now.rawPath && was.query === now.query && was.screen === now.screen

const newKey = (): string => Math.random().toString(36).slice(2, 10)
