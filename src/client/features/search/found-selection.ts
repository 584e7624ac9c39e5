import { isWithin, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { selection } from '../../state/selection.ts'
import { may } from '../../state/session.ts'
import type { DraggedEntries } from '../../operations/dragged-entries.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'

/** The selected results of the search on screen. A range begins at the anchor. */
type FoundSelection = { readonly paths: ReadonlySet<Path>; readonly anchor: Path | null }

const none: FoundSelection = { paths: new Set(), anchor: null }

export const foundSelection = createPersonalStore<FoundSelection>(none)

export const clearFound = (): void => foundSelection.set(none)

/** Clears the selected results when rows of the folder are selected, so that an action applies to one selection only. */
export const followRowSelection = (): (() => void) =>
  selection.subscribe(() => {
    if (selection.get().chosen.count > 0) clearFound()
  })

/** Selects a result alone. */
export const selectOnlyFound = (path: Path): void =>
  foundSelection.set({ paths: new Set([path]), anchor: path })

/** Selects a result, or deselects it. */
export const toggleFound = (path: Path): void =>
  foundSelection.set(({ paths }) => {
    const next = new Set(paths)
    if (!next.delete(path)) next.add(path)
    return { paths: next, anchor: path }
  })

export const selectAllFound = (entries: readonly FoundEntry[]): void =>
  foundSelection.set(({ anchor }) => ({ paths: new Set(entries.map(({ path }) => path)), anchor }))

/** Selects the results from the anchor, or else from `start`, to `path`. The previous selection is kept when `isAdded`. */
export function extendFound(
  entries: readonly FoundEntry[],
  { start, path, isAdded }: { readonly start: Path; readonly path: Path; readonly isAdded: boolean },
): void {
  foundSelection.set(({ paths, anchor }) => {
    const indexOf = (one: Path | null): number => entries.findIndex((entry) => entry.path === one)
    const from = indexOf(anchor) === -1 ? indexOf(start) : indexOf(anchor)
    const to = indexOf(path)
    const range = entries.slice(Math.min(from, to), Math.max(from, to) + 1).map((entry) => entry.path)
    return {
      paths: new Set(isAdded ? [...paths, ...range] : range),
      anchor: entries[from]?.path ?? path,
    }
  })
}

/** Deselects entries, and everything below them, because they have left the results. */
export const deselectFound = (removed: readonly Path[]): void =>
  foundSelection.set(({ paths, anchor }) => ({
    paths: new Set([...paths].filter((path) => !removed.some((one) => isWithin(path, one)))),
    anchor,
  }))

/** Keeps an entry, and everything below it, selected after the entry was renamed. */
export const renameInSelection = (from: Path, to: Path): void =>
  foundSelection.set((now) => ({
    ...now,
    paths: new Set(
      Array.from(now.paths, (path) =>
        isWithin(path, from) ? (`${to}${path.slice(from.length)}` as Path) : path,
      ),
    ),
  }))

/** Returns the results that are selected and still among the results. */
export const selectedAmong = (
  entries: readonly FoundEntry[],
  { paths }: FoundSelection,
): readonly FoundEntry[] => (paths.size === 0 ? [] : entries.filter(({ path }) => paths.has(path)))

/**
 * Returns the context of actions for results. An entry that is inside another one is left out, because the action for the
 * folder includes it. `searched` is the folder that contains all results.
 */
export function contextOfFound(entries: readonly FoundEntry[], searched: Path): ActionContext {
  const folders = new Set(entries.flatMap(({ path, isFolder }) => (isFolder ? [path] : [])))
  const isInside = (path: Path): boolean =>
    path !== root && (folders.has(parentOf(path)) || isInside(parentOf(path)))
  const outer = entries.filter(({ path }) => !isInside(path))
  const parents = new Set(outer.map(({ path }) => parentOf(path)))
  const [parent] = parents
  const isOneFolder = parents.size === 1 && parent !== undefined
  return {
    folder: isOneFolder ? parent : searched,
    selected: outer.map((entry) =>
      isOneFolder ? listedEntryOf(entry) : { ...listedEntryOf(entry), folder: parentOf(entry.path) },
    ),
    may,
    isMultiple: false,
  }
}

/** Returns the selected results for a result that is dragged, or the result alone while it is not selected. */
export function draggedAmong(
  { entries, folder }: { readonly entries: readonly FoundEntry[]; readonly folder: Path },
  element: Element,
): DraggedEntries | null {
  const path = element.closest<HTMLElement>('[data-found]')?.dataset['path']
  const entry = entries.find((one) => one.path === path)
  if (entry === undefined) return null
  const chosen = foundSelection.get()
  const context = contextOfFound(
    chosen.paths.has(entry.path) ? selectedAmong(entries, chosen) : [entry],
    folder,
  )
  return { folder: context.folder, entries: context.selected }
}
