import type { Path } from '../../../shared/domain/path.ts'
import type { Scene } from '../../actions/action.ts'
import type { Columns } from '../../listing/rows/columns.ts'
import { entriesIn } from '../../listing/rows/folder-rows.ts'
import type { FolderView } from '../../listing/rows/folder-view.ts'
import type { Selection } from '../../state/selection.ts'
import { may } from '../../state/session.ts'

/** What verbs look at: the open folder and what is chosen there; null where no folder is open. */
export function sceneOf(view: FolderView, now: Selection): Scene | null {
  if (view.kind !== 'folder') return null
  return sceneIn(view.path, view.folder.columns, now)
}

const sceneIn = (folder: Path, columns: Columns, now: Selection): Scene => ({
  folder,
  selected: now.folder === folder ? entriesIn(columns, now.chosen) : [],
  may,
  isMultiple: now.isMultiple,
})
