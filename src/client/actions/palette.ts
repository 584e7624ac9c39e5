import { Search } from 'lucide'
import { prompt } from '../state/prompt.ts'
import { userOf } from '../state/session.ts'
import type { Action } from './action.ts'

export const palette: Action = {
  id: 'palette',
  label: 'action.palette',
  icon: Search,
  takes: 'nothing',
  suits: () => userOf() !== null,
  keys: ['ctrl+k'],
  isGlobal: true,
  places: [],
  run: () => prompt.set({ kind: 'palette', text: '>' }),
}
