import { expect, test } from 'vitest'
import { limits } from '../../shared/domain/limits.ts'
import { pathOf, root } from '../../shared/domain/path.ts'
import { href } from '../api/href.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { archiveTargetOf } from './download-archive.ts'

const docs = pathOf('/Docs') ?? root

const entry = (name: string, isFolder = false): ListedEntry => ({
  name,
  isFolder,
  type: isFolder ? '' : 'text',
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: 0,
})

const selectionOf = (entries: readonly ListedEntry[], isWholeFolder = false) => ({
  folder: docs,
  entries,
  isWholeFolder,
})

/** Reads the names as the server does: the query is decoded once, split at commas, and each name is decoded. */
function namesIn(url: string): string[] {
  const files = new URL(url, 'http://nas').searchParams.get('files') ?? ''
  return files.split(',').map((name) => decodeURIComponent(name))
}

test('names with commas, percent signs and line feeds arrive as they are', () => {
  const names = ['a,b.txt', '100%.txt', 'a%2Fb', '#1 ?x&y=+.txt', 'two\nlines', '😀', 'a%2Cb']
  const target = archiveTargetOf(selectionOf(names.map((name) => entry(name))), 'tar.gz')
  const url = target === null ? '' : href('raw.get', target)
  expect(new URL(url, 'http://nas').pathname).toMatch(/\/api\/raw\/Docs$/)
  expect(namesIn(url)).toEqual(names)
})

test.each([
  ['no entry', [], false],
  ['all entries of the folder', [entry('a'), entry('b')], true],
])('the folder itself is requested for %s', (_case, entries, isWholeFolder) => {
  expect(archiveTargetOf(selectionOf(entries, isWholeFolder), 'zip')).toEqual({
    path: '/Docs',
    query: { algo: 'zip' },
  })
})

test('one folder is requested by its own path', () => {
  expect(archiveTargetOf(selectionOf([entry('sub', true)]), 'tar')).toEqual({
    path: '/Docs/sub',
    query: { algo: 'tar' },
  })
})

const many = (count: number, name: string) =>
  selectionOf(Array.from({ length: count }, (_, index) => entry(`${name}${index}`)))

test('more names than the server accepts, or than a URL can contain, give no request', () => {
  expect([
    archiveTargetOf(many(limits.archiveNames, 'n'), 'zip') === null,
    archiveTargetOf(many(limits.archiveNames + 1, 'n'), 'zip') === null,
    archiveTargetOf(many(2000, 'x'.repeat(200)), 'zip') === null,
  ]).toEqual([false, true, true])
})
