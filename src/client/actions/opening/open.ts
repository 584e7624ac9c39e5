import { Eye } from 'lucide'
import { childOf } from '../../../shared/domain/path.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import type { Action } from '../action.ts'

/** Opens the selected entry in this tab. The list itself handles Enter and the double click. */
export const open: Action = {
  id: 'open',
  label: 'action.open',
  icon: Eye,
  takes: 'one',
  keys: [],
  listKey: 'Enter',
  places: ['entry-menu'],
  menuGroup: 'open',
  run: ({ folder, selected: [entry] }) => {
    const path = entry && childOf(folder, entry.name)
    if (path) navigate(filesUrl(path, entry.isFolder))
  },
}
