import { ListChecks } from 'lucide'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const selectMultiple: Action = {
  id: 'select-multiple',
  label: 'action.select-multiple',
  icon: ListChecks,
  takes: 'nothing',
  keys: [],
  places: ['header'],
  run: () => openFolder.get()?.toggleMultiple(),
}
