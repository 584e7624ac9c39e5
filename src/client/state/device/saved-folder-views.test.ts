import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../../../test/kit/stub-local-storage.ts'
import { pathOf, root, type Path } from '../../../shared/domain/path.ts'

const at = (text: string): Path => pathOf(text) ?? root

/** Replaces the browser's storage, and loads the modules anew, as another tab or another visit would. */
const saved = new Map<string, string>()
beforeEach(() => {
  saved.clear()
  stubLocalStorage(saved)
})
afterEach(() => vi.unstubAllGlobals())

const tokenOf = (id: number) =>
  `h.${btoa(JSON.stringify({ user: { id, perm: {}, viewMode: id === 1 ? 'mosaic' : 'list' } }))}.s`

async function visit(userId: number, basePath = '') {
  vi.resetModules()
  const { acceptToken } = await import('../session.ts')
  const changes = await import('../entry-changes.ts')
  const views = await import('./folder-views.ts')
  const keep = await import('./saved-folder-views.ts')
  acceptToken(tokenOf(userId))
  views.startFolderViews(basePath)
  keep.followFolderViews()
  return { ...keep, ...changes, ...views, acceptToken }
}

test('a view is kept for the next visit of the same user at the same base path, and others have the setting', async () => {
  const first = await visit(1, '/fm')
  first.rememberView(at('/a%2Fb #?&+'), 'list')
  first.rememberView(root, 'mosaic gallery')
  const again = await visit(1, '/fm')
  expect([again.viewModeOf(at('/a%2Fb #?&+')), again.viewModeOf(root), again.viewModeOf(at('/c'))]).toEqual([
    'list',
    'mosaic gallery',
    'mosaic',
  ])
  expect((await visit(1)).viewModeOf(root)).toBe('mosaic')
  const other = await visit(2, '/fm')
  expect(other.viewModeOf(root)).toBe('list')
  other.acceptToken(tokenOf(1))
  expect(other.viewModeOf(root)).toBe('mosaic gallery')
})

test('the oldest choices are forgotten, and two tabs keep the choices of both', async () => {
  const one = await visit(1)
  for (let number = 0; number <= one.maxFolderViews; number += 1) one.rememberView(at(`/${number}`), 'list')
  expect(one.folderViews.get().views.size).toBe(one.maxFolderViews)
  expect([one.viewModeOf(at('/0')), one.viewModeOf(at('/1'))]).toEqual(['mosaic', 'list'])
  const other = await visit(1)
  other.rememberView(at('/other'), 'mosaic gallery')
  one.rememberView(at('/last'), 'list')
  expect((await visit(1)).viewModeOf(at('/other'))).toBe('mosaic gallery')
})

test('the views follow renamed folders, and what was proposed stays when all views are forgotten', async () => {
  const page = await visit(1)
  page.rememberView(at('/a/b'), 'list')
  page.entryChanged.emit({ from: at('/a'), to: at('/c') })
  expect(page.viewModeOf(at('/c/b'))).toBe('list')
  page.rememberView(at('/gone'), 'list')
  page.entryChanged.emit({ from: at('/gone'), to: null })
  expect([...page.folderViews.get().views.keys()]).toEqual(['/c/b'])
  page.forgetViews()
  expect([page.viewModeOf(at('/c/b')), page.folderViews.get().views.has('/c/b')]).toEqual(['mosaic', true])
})

test.each(['{', '{}', 'null', '[1]', '[["/a","red"]]'])(
  'a stored text %s of another program is ignored',
  async (text) => {
    saved.set('views / 1', text)
    expect((await visit(1)).viewModeOf(at('/a'))).toBe('mosaic')
  },
)
