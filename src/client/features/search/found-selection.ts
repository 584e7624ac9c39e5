import { childOf, isWithin, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { openFolder } from '../../state/open-folder.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import { clearSelection } from '../../state/selection.ts'
import { useStore } from '../../state/store.ts'
import { may } from '../../state/session.ts'
import { isCtrlPressed } from '../../ui/keys.ts'
import type { DraggedEntries } from '../../operations/dragged-entries.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'

const { selection } = folderListing

/** The selected results of the search on screen. A range begins at the anchor. */
type FoundSelection = { readonly paths: ReadonlySet<Path>; readonly anchor: Path | null }

const none: FoundSelection = { paths: new Set(), anchor: null }

export const foundSelection = createPersonalStore<FoundSelection>(none)

export const clearFound = (): void => foundSelection.set(none)

/** Returns true while results or rows of the folder are selected. Both lists then show their check boxes. */
export function useHasSelection(): boolean {
  const { paths } = useStore(foundSelection)
  const { chosen } = useStore(selection)
  return paths.size > 0 || chosen.count > 0
}

/** The effect of the latest press of a key or a button on the selection of the other list. */
const pressEffect = createPersonalStore<'adds' | 'replaces' | 'none'>('none')

/**
 * Keeps the selections of both lists of a search together: the rows of the folder, and the results below it. A press that
 * selects rows alone deselects the results, and a press with Ctrl or on a check box keeps them. Returns the function that
 * ends this.
 */
export function joinSelections(): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  document.addEventListener('pointerdown', onPress, options)
  document.addEventListener('keydown', onPress, options)
  let { chosen } = selection.get()
  const stop = selection.subscribe(() => {
    const before = chosen
    ;({ chosen } = selection.get())
    if (chosen !== before && chosen.count > 0 && pressEffect.get() === 'replaces') clearFound()
  })
  return () => {
    ending.abort()
    stop()
  }
}

/** Notes what a press means before the lists handle it. */
function onPress(event: MouseEvent | KeyboardEvent): void {
  const isIn = (selector: string): boolean =>
    event.target instanceof Element && event.target.closest(selector) !== null
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  const isOnCheckbox = isIn('[data-part="check"], [data-found] label')
  const isAdding = isCtrlPressed(event) || isOnCheckbox || isTouch || selection.get().isMultiple
  pressEffect.set(isAdding ? 'adds' : isIn('[data-part="listing"]') ? 'replaces' : 'none')
}

/** Deselects the rows of the folder and the results. */
export function clearBoth(): void {
  clearFound()
  selection.set(clearSelection)
}

/** Selects a result alone. */
export function selectOnlyFound(path: Path): void {
  selection.set(clearSelection)
  foundSelection.set({ paths: new Set([path]), anchor: path })
}

/** Selects a result, or deselects it. */
export const toggleFound = (path: Path): void =>
  foundSelection.set(({ paths }) => {
    const next = new Set(paths)
    if (!next.delete(path)) next.add(path)
    return { paths: next, anchor: path }
  })

/** Selects all results and all matching rows of the folder. */
export function selectAllMatches(entries: readonly FoundEntry[]): void {
  openFolder.get()?.selectAll()
  foundSelection.set(({ anchor }) => ({ paths: new Set(entries.map(({ path }) => path)), anchor }))
}

/** Selects the results from the anchor, or else from `start`, to `path`. The previous selection is kept when `isAdded`. */
export function extendFound(
  entries: readonly FoundEntry[],
  { start, path, isAdded }: { readonly start: Path; readonly path: Path; readonly isAdded: boolean },
): void {
  if (!isAdded) selection.set(clearSelection)
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

/** The selected entries of a search: rows of the folder on screen, and results below it. */
type SelectedMatches = { readonly rows: readonly FoundEntry[]; readonly found: readonly FoundEntry[] }

export function selectedMatches(entries: readonly FoundEntry[]): SelectedMatches {
  const open = openFolder.get()
  const rows = open?.selected().flatMap((entry) => {
    const path = childOf(open.folder, entry.name)
    return path === null ? [] : [{ path, isFolder: entry.isFolder, facts: entry }]
  })
  return { rows: rows ?? [], found: selectedAmong(entries, foundSelection.get()) }
}

/** Returns everything that is selected when a result is among it, and otherwise the result alone. */
export function matchesAround(entries: readonly FoundEntry[], entry: FoundEntry): readonly FoundEntry[] {
  const { rows, found } = selectedMatches(entries)
  return found.includes(entry) ? [...rows, ...found] : [entry]
}

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
  const context = contextOfFound(matchesAround(entries, entry), folder)
  return { folder: context.folder, entries: context.selected }
}
