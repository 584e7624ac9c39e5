import { Search } from 'lucide'
import { prompt } from '../state/prompt.ts'
import { userOf } from '../state/session.ts'
import type { Action } from './action.ts'

/** Asks for a part of a file's name and opens the file. */
export const goToFile: Action = {
  id: 'go-to-file',
  label: 'action.go-to-file',
  icon: Search,
  takes: 'nothing',
  suits: () => userOf() !== null,
  keys: ['ctrl+p'],
  isGlobal: true,
  places: [],
  run: () => prompt.set({ kind: 'palette', text: '' }),
}
