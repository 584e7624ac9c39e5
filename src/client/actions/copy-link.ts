import type { Action } from './action.ts'

/** Copies the addresses of the selected entries in this program as text. */
export const copyLink: Action = {
  id: 'copy-link',
  label: 'action.copy-link',
  icon: 'link',
  takes: 'some',
  keys: [],
  places: ['entry-menu'],
  menuGroup: 'send',
  run: async ({ folder, selected }) =>
    (await import('../operations/copying/copy-links.ts')).copyLinks(folder, selected),
}
