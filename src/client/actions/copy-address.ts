import { Link2 } from 'lucide'
import { operationsAfterRows } from '../operations/load-after-rows.ts'
import type { Action } from './action.ts'

/** Copies the addresses of the selected entries in this program as text. Guests have no use for them, unlike the link of a share. */
export const copyAddress: Action = {
  id: 'copy-address',
  label: 'action.copy-address',
  icon: Link2,
  takes: 'some',
  keys: [],
  places: ['entry-more'],
  menuGroup: 'send',
  run: async ({ folder, selected }) => (await operationsAfterRows.load()).copyAddresses(folder, selected),
}
