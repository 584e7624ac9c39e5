import { childOf, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { type ResultContext, resultContext } from '../../actions/page-context.ts'
import { folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import { currentRows } from '../../listing/rows/folder-rows.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolder } from '../../state/open-folder.ts'
import { may } from '../../state/session.ts'

/**
 * Lets all actions apply to the selected results and the selected rows of the folder, while results are selected. Returns
 * the function that ends this.
 */
export function joinSelections(): () => void {
  const watchSummary = (): (() => void) => foundListing.columns.get().summary.subscribe(update)
  let stopSummary = watchSummary()
  const watchRows = (): void => {
    stopSummary()
    stopSummary = watchSummary()
    update()
  }
  update()
  const stops = [
    foundListing.columns.subscribe(watchRows),
    foundListing.selection.subscribe(update),
    folderListing.selection.subscribe(update),
  ]
  return () => {
    for (const stop of stops) stop()
    stopSummary()
    resultContext.set(null)
  }
}

function update(): void {
  resultContext.set(contextOfSelection())
}

type EntryInFolder = ListedEntry & { readonly folder: Path }

/** Returns the context of actions for everything that is selected, or null when no result is selected. */
function contextOfSelection(): ResultContext | null {
  const { chosen, folder: searched } = foundListing.selection.get()
  const open = openFolder.get()
  // The rows of a large folder are only looked up when they are needed.
  if (chosen.count === 0 || searched === null) return null
  const inFolder = (entry: ListedEntry): EntryInFolder => ({ ...entry, folder: entry.folder ?? searched })
  const rows = open?.selected().map(inFolder) ?? []
  const found = currentRows(foundListing.columns.get()).entriesOf(chosen).map(inFolder)
  const { chosen: chosenRows, isMultiple } = folderListing.selection.get()
  return {
    ...contextOf([...rows, ...found], searched),
    isMultiple,
    isArriving: rows.length < chosenRows.count,
    count: rows.length + found.length,
  }
}

/**
 * Returns the context of actions for entries of several folders. An entry that is inside another one is left out, because
 * the action for the folder includes it. `searched` is the folder that contains all results.
 */
function contextOf(
  entries: readonly EntryInFolder[],
  searched: Path,
): Pick<ActionContext, 'folder' | 'selected' | 'may'> {
  const folders = new Set(
    entries.flatMap(({ folder, name, isFolder }) => (isFolder ? (childOf(folder, name) ?? []) : [])),
  )
  const isInside = (folder: Path): boolean =>
    folders.has(folder) || (folder !== root && isInside(parentOf(folder)))
  const outer = entries.filter(({ folder }) => !isInside(folder))
  const parents = new Set(outer.map(({ folder }) => folder))
  const [parent] = parents
  if (parents.size !== 1 || parent === undefined) return { folder: searched, selected: outer, may }
  return { folder: parent, selected: outer.map(({ folder: _folder, ...entry }) => entry), may }
}
