import { useEffect } from 'react'
import { type ResultContext, resultContext } from '../../actions/page-context.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import { useStore } from '../../state/store.ts'
import { clearFound, contextOfFound, foundSelection, selectedMatches } from './found-selection.ts'
import type { FolderSearch } from './searcher.ts'

const { selection } = folderListing

/** Lets all actions apply to the selected results and the selected rows of the folder, while results are selected. */
export function useResultContext(search: FolderSearch | null): void {
  useStore(foundSelection)
  useStore(selection)
  useEffect(() => {
    resultContext.set(search === null ? null : contextOfMatches(search))
  })
  useEffect(() => () => resultContext.set(null), [])
}

/** Returns the context of actions for everything that is selected, or null when no result is selected. */
function contextOfMatches({ entries, folder }: FolderSearch): ResultContext | null {
  // The rows of a large folder are only looked up when they are needed.
  if (foundSelection.get().paths.size === 0) return null
  const { chosen, isMultiple } = selection.get()
  const { rows, found } = selectedMatches(entries)
  if (found.length === 0) return null
  return {
    ...contextOfFound([...rows, ...found], folder),
    isMultiple,
    isArriving: rows.length < chosen.count,
    count: rows.length + found.length,
    clear: clearFound,
  }
}
