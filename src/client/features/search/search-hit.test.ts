import { expect, test } from 'vitest'
import { type Path, root } from '../../../shared/domain/path.ts'
import { foundEntryOf, groupByFolder } from './search-hit.ts'

const hit = (path: string, isDir = false) => ({ path, isDir, dir: isDir })

test('a hit below the searched folder gets its whole path, and a hit in the folder itself is left to its rows', () => {
  const folder = '/Photos' as Path
  expect(foundEntryOf(folder, hit('2024/a.jpg'))).toEqual({
    path: '/Photos/2024/a.jpg',
    isFolder: false,
    facts: null,
  })
  expect(foundEntryOf(root, hit('2024/trip', true))).toEqual({
    path: '/2024/trip',
    isFolder: true,
    facts: null,
  })
  expect(foundEntryOf(root, hit('a%2Fb/#?&+\udcff'))).toEqual({
    path: '/a%2Fb/#?&+\udcff',
    isFolder: false,
    facts: null,
  })
  expect(foundEntryOf(folder, hit('a.jpg'))).toBeNull()
  expect(foundEntryOf(folder, hit(`${'x/'.repeat(5000)}a.jpg`))).toBeNull()
})

test('a hit has the facts that the server sends, and a link to a folder is a folder', () => {
  expect(foundEntryOf(root, { ...hit('a/link'), size: 4096, modifiedMs: 5, flags: 3 })).toEqual({
    path: '/a/link',
    isFolder: true,
    facts: { sizeBytes: 4096, modifiedMs: 5, isLink: true, isBroken: false },
  })
})

test('hits are grouped by folder without changing their order', () => {
  const entries = ['/a/1', '/a/b/2', '/a/b/3', '/a/4'].map((path) => ({
    path: path as Path,
    isFolder: false,
    facts: null,
  }))
  expect(groupByFolder(entries).map(({ folder, start, entries }) => [folder, start, entries.length])).toEqual(
    [
      ['/a', 0, 1],
      ['/a/b', 1, 2],
      ['/a', 3, 1],
    ],
  )
})
