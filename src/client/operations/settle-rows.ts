import type { Path } from '../../shared/domain/path.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * Prepares for the end of an operation that changes rows of a folder before the server has responded. The returned
 * function ends the operation. When rows were fetched while the operation ran, they may show the state before the
 * operation, and this tab ignores the event of its own change. In that case the folder is fetched once more. Otherwise
 * `undo` is called, which reverts the changes that the server has refused.
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
