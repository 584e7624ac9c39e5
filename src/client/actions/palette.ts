import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const palette: Action = {
  id: 'palette',
  icon: 'search',
  takes: 'nothing',
  keys: ['ctrl+k'],
  places: [],
  run: ({ folder, selected }) => prompt.set({ kind: 'palette', folder, entries: selected }),
}
