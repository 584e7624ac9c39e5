import { resultContext } from '../../../actions/page-context.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { clearSelection } from '../../../state/selection.ts'

/** Deselects the rows of the folder and the results of a search. */
export function deselectAll(): void {
  resultContext.get()?.clear()
  folderListing.selection.set(clearSelection)
}
