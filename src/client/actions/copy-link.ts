import { Link2 } from 'lucide'
import { operationsAfterRows } from '../operations/load-after-rows.ts'
import type { Action } from './action.ts'

/** Copies the addresses of the selected entries in this program as text. */
export const copyLink: Action = {
  id: 'copy-link',
  label: 'action.copy-link',
  icon: Link2,
  takes: 'some',
  keys: [],
  places: ['entry-menu'],
  menuGroup: 'send',
  run: async ({ folder, selected }) => (await operationsAfterRows.load()).copyLinks(folder, selected),
}
