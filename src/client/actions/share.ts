import { Share2 } from 'lucide'
import { childOf } from '../../shared/domain/path.ts'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

/**
 * Opens the prompt with the links of the selected entry. Guests download what is shared, so the action needs both
 * permissions.
 */
export const share: Action = {
  id: 'share',
  label: 'action.share',
  icon: Share2,
  needs: 'share',
  alsoNeeds: 'download',
  takes: 'one',
  keys: [],
  places: ['file-header', 'selection-bar', 'entry-menu'],
  menuGroup: 'send',
  run: ({ folder, selected: [entry] }) => {
    const path = entry && childOf(folder, entry.name)
    if (path) prompt.set({ kind: 'share', path, isFolder: entry.isFolder })
  },
}
