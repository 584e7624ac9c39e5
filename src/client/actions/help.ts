import { CircleHelp } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const help: Action = {
  id: 'help',
  label: 'action.help',
  icon: CircleHelp,
  takes: 'nothing',
  keys: ['F1', '?'],
  isGlobal: true,
  places: ['sidebar'],
  run: () => prompt.set({ kind: 'help' }),
}
