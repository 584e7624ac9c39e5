import type { Path } from '../../shared/domain/path.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * Prepares for the end of an operation that changes rows of a folder before the server has answered. The returned
 * function ends the operation. Rows that were fetched while the operation ran may show the state before it, and the
 * event of the change is ignored because this tab has caused it. In that case the folder is fetched once more;
 * otherwise `undo` is called, which takes back what the server has refused.
 */
export function settleRowsOf(
  { openAt }: Pick<OperationContext, 'openAt'>,
  folder: Path,
): (undo: () => void) => void {
  const wasFetched = openAt(folder)?.watchFetches() ?? (() => true)
  return (undo) => {
    if (wasFetched()) openAt(folder)?.reload()
    else undo()
  }
}
