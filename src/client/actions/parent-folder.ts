import { FolderUp } from 'lucide'
import { parentOf, root } from '../../shared/domain/path.ts'
import { filesUrl, navigate } from '../router/router.ts'
import type { Action } from './action.ts'

export const parentFolder: Action = {
  id: 'parent-folder',
  label: 'action.parent-folder',
  icon: FolderUp,
  takes: 'nothing',
  suits: ({ folder }) => folder !== root,
  keys: ['Backspace', 'alt+ArrowUp'],
  places: [],
  run: ({ folder }) => navigate(filesUrl(parentOf(folder), true)),
}
