import { expect, test } from 'vitest'
import { type Path, root } from '../../../shared/domain/path.ts'
import { foundEntryOf } from './search-hit.ts'

const hit = (path: string, isDir = false) => ({ path, isDir, dir: isDir, size: 1, modifiedMs: 2, flags: 0 })

test('a hit below the searched folder gets its whole path, and a hit in the folder itself is left to its rows', () => {
  const folder = '/Photos' as Path
  expect(foundEntryOf(folder, hit('2024/a.jpg'))).toEqual({
    path: '/Photos/2024/a.jpg',
    folder: '/Photos/2024',
    name: 'a.jpg',
    type: 'image',
    isFolder: false,
    isLink: false,
    isBroken: false,
    sizeBytes: 1,
    modifiedMs: 2,
  })
  expect(foundEntryOf(root, hit('2024/trip', true))).toMatchObject({ path: '/2024/trip', isFolder: true })
  expect(foundEntryOf(root, hit('a%2Fb/#?&+\udcff'))).toMatchObject({
    path: '/a%2Fb/#?&+\udcff',
    isFolder: false,
  })
  expect(foundEntryOf(folder, hit('a.jpg'))).toBeNull()
  expect(foundEntryOf(folder, hit(`${'x/'.repeat(5000)}a.jpg`))).toBeNull()
})

test('a hit has the facts that the server sends, a link to a folder is a folder, and a hit without facts cannot be reached', () => {
  expect(foundEntryOf(root, { ...hit('a/link'), size: 4096, modifiedMs: 5, flags: 3 })).toMatchObject({
    isFolder: true,
    sizeBytes: 4096,
    modifiedMs: 5,
    isLink: true,
    isBroken: false,
  })
  const { path, isDir, dir } = hit('a/gone')
  expect(foundEntryOf(root, { path, isDir, dir })).toMatchObject({ isUnreachable: true, isFolder: false })
})
