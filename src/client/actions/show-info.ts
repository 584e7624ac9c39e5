import { Info } from 'lucide'
import { detailsPane, detailsQuery } from '../state/device/details-pane.ts'
import { openFolder } from '../state/open-folder.ts'
import { prompt } from '../state/prompt.ts'
import type { Action, ActionContext } from './action.ts'
import { resultContext } from './page-context.ts'

/** Shows information about the selected entries: in the pane beside the list, and in a dialog where the pane has no room. */
export const showInfo: Action = {
  id: 'info',
  label: 'action.info',
  icon: Info,
  takes: 'any',
  keys: ['alt+Enter', 'i'],
  places: ['header', 'file-header', 'selection-bar', 'entry-more', 'folder-more'],
  menuGroup: 'facts',
  run: ({ folder, selected }) => {
    if (isDescribedBeside({ folder, selected })) detailsPane.set((now) => (now === 'on' ? 'off' : 'on'))
    else prompt.set({ kind: 'info', folder, entries: selected })
  },
}

/**
 * Returns true when the pane beside the list describes these entries, or would do so: they are what is selected in the list. The menu of
 * the empty area, whose entries are fewer, concerns the folder itself.
 */
function isDescribedBeside({ folder, selected }: Pick<ActionContext, 'folder' | 'selected'>): boolean {
  const open = openFolder.get()
  if (open === null || !matchMedia(detailsQuery).matches) return false
  const shown = resultContext.get()?.selected ?? open.selected()
  return open.folder === folder && shown.length === selected.length
}
