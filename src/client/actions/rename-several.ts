import { Pencil } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

/** Renames several entries by a rule. The action rename takes exactly one entry (specification 5). */
export const renameSeveral: Action = {
  id: 'rename-several',
  label: 'action.rename-several',
  icon: Pencil,
  needs: 'rename',
  takes: 'some',
  isInOneFolder: true,
  severalOf: 'rename',
  suits: ({ selected }) => selected.length > 1,
  keys: [],
  places: ['entry-menu'],
  menuGroup: 'edit',
  run: ({ folder, selected }) => prompt.set({ kind: 'rename-several', folder, entries: selected }),
}
