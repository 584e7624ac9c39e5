import type { Path } from '../../../../shared/domain/path.ts'
import type { ActionContext } from '../../../actions/action.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { currentRows, type FolderRows } from '../../../listing/rows/folder-rows.ts'
import { location } from '../../../router/router.ts'
import { emptyRowSet } from '../../../state/row-set.ts'
import type { Selection } from '../../../state/selection.ts'
import { may } from '../../../state/session.ts'
import { addressLoader } from './address-loader.ts'

type OpenFolderState = {
  readonly folder: Path
  readonly rows: FolderRows
  readonly current: Selection
  readonly may: ActionContext['may']
}

/** Returns the context of actions in an open folder: the folder, the selected entries and the user's permissions. */
export function actionContextOf({ folder, rows, current, may }: OpenFolderState): ActionContext {
  const chosen = current.folder === folder ? current.chosen : emptyRowSet
  const selected = rows.entriesOf(chosen)
  return { folder, selected, isArriving: selected.length < chosen.count, may, isMultiple: current.isMultiple }
}

/**
 * Returns the context of actions at the time of the call, or null while no folder is open. Event handlers use this
 * function because they run outside the rendering. The folder is that of the address, whose rows may still be loading.
 */
export function currentActionContext(): ActionContext | null {
  const view = addressLoader.view.get()
  if (view.kind !== 'folder') return null
  const { path, isFolder } = location.get()
  const rows = currentRows(view.folder.columns)
  return actionContextOf({
    folder: (isFolder && path) || view.path,
    rows,
    current: folderListing.selection.get(),
    may,
  })
}
