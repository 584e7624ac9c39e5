import { Info } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const showInfo: Action = {
  id: 'info',
  label: 'action.info',
  icon: Info,
  takes: 'any',
  keys: ['alt+Enter', 'i'],
  places: ['header', 'file-header', 'selection-bar', 'entry-more', 'folder-more'],
  menuGroup: 'facts',
  run: ({ folder, selected }) => prompt.set({ kind: 'info', folder, entries: selected }),
}
