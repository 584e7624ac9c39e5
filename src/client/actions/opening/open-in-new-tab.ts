import { ExternalLink } from 'lucide'
import { childOf } from '../../../shared/domain/path.ts'
import { filesUrl, withBase } from '../../router/router.ts'
import type { Action } from '../action.ts'
import { directed } from '../../ui/icon.tsx'

/** Opens the selected entry in a new tab of the browser. The list itself handles Ctrl+Enter. */
export const openInNewTab: Action = {
  id: 'open-in-new-tab',
  label: 'action.open-in-new-tab',
  icon: directed(ExternalLink),
  takes: 'one',
  keys: [],
  listKey: 'ctrl+Enter',
  places: ['entry-more'],
  menuGroup: 'open',
  run: ({ folder, selected: [entry] }) => {
    const path = entry && childOf(folder, entry.name)
    if (path) window.open(withBase(filesUrl(path, entry.isFolder)), '_blank', 'noopener')
  },
}
