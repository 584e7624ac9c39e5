import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../../test/kit/stub-local-storage.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'

const at = (text: string): Path => pathOf(text) ?? root

/** Replaces the browser's storage, and loads the modules anew, as another tab or another visit would. */
const saved = new Map<string, string>()
beforeEach(() => {
  saved.clear()
  stubLocalStorage(saved)
  vi.stubGlobal('addEventListener', () => undefined)
})

afterEach(() => vi.unstubAllGlobals())

const tokenOf = (id: number) => `h.${btoa(JSON.stringify({ user: { id, perm: {} } }))}.s`

async function visit(userId: number, basePath = '') {
  vi.resetModules()
  const { acceptToken } = await import('./session.ts')
  const changes = await import('./entry-changes.ts')
  const { pinned } = await import('./pins.ts')
  const pins = await import('./saved-pins.ts')
  acceptToken(tokenOf(userId))
  pins.startPins(basePath)
  return { ...pins, ...changes, acceptToken, folders: () => pinned.get().folders }
}

test('pins are kept for the next visit of the same user at the same base path', async () => {
  const first = await visit(1, '/fm')
  first.pinFolder(at('/a'))
  first.pinFolder(at('/a%2Fb #?&+'))
  first.pinFolder(at('/a'))
  expect((await visit(1, '/fm')).folders()).toEqual(['/a', '/a%2Fb #?&+'])
  expect((await visit(2, '/fm')).folders()).toEqual([])
  expect((await visit(1)).folders()).toEqual([])
})

test('the next user does not see the pins of the user before', async () => {
  const { folders, pinFolder, acceptToken } = await visit(1)
  pinFolder(at('/secret'))
  acceptToken(tokenOf(2))
  expect(folders()).toEqual([])
  pinFolder(at('/own'))
  acceptToken(tokenOf(1))
  expect(folders()).toEqual(['/secret'])
})

test('pins can be moved and removed', async () => {
  const { folders, pinFolder, unpinFolder, movePinnedFolder } = await visit(1)
  for (const name of ['/a', '/b', '/c']) pinFolder(at(name))
  movePinnedFolder(at('/c'), -1)
  expect(folders()).toEqual(['/a', '/c', '/b'])
  movePinnedFolder(at('/a'), -1)
  movePinnedFolder(at('/b'), 1)
  expect(folders()).toEqual(['/a', '/c', '/b'])
  for (const name of ['/a', '/b', '/c']) unpinFolder(at(name))
  expect([...saved.keys()]).toEqual(['jwt'])
})

test('a pin follows a rename of its folder or of a folder above it', async () => {
  const { folders, pinFolder, entryChanged } = await visit(1)
  pinFolder(at('/a/b'))
  entryChanged.emit({ from: at('/a'), to: at('/z') })
  entryChanged.emit({ from: at('/z/b'), to: at('/z/c') })
  entryChanged.emit({ from: at('/z/c'), to: null })
  expect(folders()).toEqual(['/z/c'])
})

test.each(['{', '{}', '[1]', '["/../x"]', 'null'])('a saved value %s does no harm', async (value) => {
  saved.set('pins / 1', value)
  expect((await visit(1)).folders()).toEqual([])
})
