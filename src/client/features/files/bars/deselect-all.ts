import { resultContext } from '../../../actions/page-context.ts'
import { clearSelection, selection } from '../../../state/selection.ts'

/** Deselects the rows of the folder and the results of a search. */
export function deselectAll(): void {
  resultContext.get()?.clear()
  selection.set(clearSelection)
}
