import { childOf } from '../../shared/domain/path.ts'
import { filesUrl, withBase } from '../router/router.ts'
import type { Action } from './action.ts'

/** Copies the addresses of the selected entries in this program as text, one in each line. */
export const copyLink: Action = {
  id: 'copy-link',
  icon: 'link',
  takes: 'some',
  keys: [],
  places: ['entry-menu'],
  menuGroup: 'send',
  run: async ({ folder, selected }) => {
    const paths = selected.map((entry) => ({ path: childOf(entry.folder ?? folder, entry.name), entry }))
    const urls = paths.flatMap(({ path, entry }) =>
      path === null ? [] : `${location.origin}${withBase(filesUrl(path, entry.isFolder))}`,
    )
    const { copyLinks } = await import('../operations/copying/copy-links.ts')
    await copyLinks(urls)
  },
}
