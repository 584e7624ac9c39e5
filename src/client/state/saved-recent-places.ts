import { isWithin, type Path, pathOf } from '../../shared/domain/path.ts'
import { storedList, storeList } from './storage/stored-list.ts'
import { type EntryChange, entryChanged, pathAfter } from './entry-changes.ts'
import { type RecentPlace, recentPlaces } from './recent-places.ts'
import { session, userOf } from './session.ts'

/** Maximum number of folders, and of files, so that a walk through many images leaves the folders. */
const maxOfKind = 8

/** Returns the latest places of each kind, each once. */
export function latestOf(places: readonly RecentPlace[]): readonly RecentPlace[] {
  const ordered = places.filter((place, at) => places.findIndex(({ path }) => path === place.path) === at)
  const latest = [true, false].flatMap((isFolder) =>
    ordered.filter((place) => place.isFolder === isFolder).slice(0, maxOfKind),
  )
  return ordered.filter((place) => latest.includes(place))
}

/** Returns the latest folders of the recent places. */
export const foldersOf = (places: readonly RecentPlace[]): readonly Path[] =>
  latestOf(places).flatMap(({ path, isFolder }) => (isFolder ? [path] : []))

/**
 * Keeps the recent places of this tab until its user logs out, also when the page is loaded again, and up to date with
 * renames and deletions. They are kept per user and per base path, because one host may serve several instances.
 */
export function startRecentPlaces(basePath: string): void {
  let key = ''
  const load = (): void => {
    const id = userOf()?.id
    const next = id === undefined ? '' : `recent ${basePath}/ ${id}`
    if (next === key) return
    key = next
    if (key !== '')
      recentPlaces.set((now) => latestOf([...now, ...storedList(key, 'sessionStorage').flatMap(placeOf)]))
  }
  session.subscribe(load)
  load()
  recentPlaces.subscribe(() => {
    if (key !== '') storeList(key, recentPlaces.get(), 'sessionStorage')
  })
  entryChanged.subscribe(followChange)
}

/** Replaces the paths of places that were renamed or moved in this tab, and forgets those that were deleted. */
function followChange(change: EntryChange): void {
  const { from } = change
  if (from === null) return
  recentPlaces.set((places) => {
    if (!places.some(({ path }) => isWithin(path, from))) return places
    const left = change.to === null ? places.filter(({ path }) => !isWithin(path, from)) : places
    return latestOf(left.map((place) => ({ ...place, path: pathAfter(place.path, change) })))
  })
}

/** Returns the place that was saved as a value, as a list of at most one. Other programs can write to the storage. */
function placeOf(value: unknown): readonly RecentPlace[] {
  const { path: saved, isFolder } = (value ?? {}) as { readonly path?: unknown; readonly isFolder?: unknown }
  const path = typeof saved === 'string' ? pathOf(saved) : null
  return path === null || typeof isFolder !== 'boolean' ? [] : [{ path, isFolder }]
}
