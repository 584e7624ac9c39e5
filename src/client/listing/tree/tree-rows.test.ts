import { expect, test } from 'vitest'
import { pathOf, root, type Path } from '../../../shared/domain/path.ts'
import {
  childrenStep,
  collapse,
  expand,
  expandTo,
  expansionAfter,
  initialExpansion,
  showMore,
  treeRowsOf,
  type Expansion,
  type TreeChildren,
} from './tree-rows.ts'

const at = (text: string): Path => pathOf(text) ?? root

const loaded = (...names: string[]): TreeChildren => ({ kind: 'loaded', names, total: names.length })

/** Returns the lines of a tree as text, indented by their level. */
function drawing(
  expansion: Expansion,
  children: Readonly<Record<string, TreeChildren>>,
  open: Path = root,
): string[] {
  const childrenOf = (folder: Path) =>
    expansion.has(folder) ? (children[folder] ?? ({ kind: 'loading' } as const)) : undefined
  return treeRowsOf({ expansion, childrenOf, factOf: () => undefined, open }).map((row) => {
    const indent = '  '.repeat(row.level - 1)
    if (row.kind === 'more') return `${indent}${row.hidden} more`
    if (row.kind === 'failed') return `${indent}failed`
    const sign = row.isLoading ? '~' : row.isLeaf ? '.' : row.isExpanded ? '-' : '+'
    return `${indent}${sign} ${row.name} ${row.position}/${row.setSize}`
  })
}

test('the rows below an expanded folder follow it with the next level', () => {
  const expansion = expand(expand(initialExpansion, at('/a')), at('/a/y'))
  expect(drawing(expansion, { '/': loaded('a', 'b'), '/a': loaded('x', 'y'), '/a/y': loaded() })).toEqual([
    '- a 1/2',
    '  + x 1/2',
    '  . y 2/2',
    '+ b 2/2',
  ])
})

test('a folder shows that its subfolders are loading or could not be loaded', () => {
  const expansion = expand(expand(initialExpansion, at('/a')), at('/b'))
  expect(drawing(expansion, { '/': loaded('a', 'b'), '/b': { kind: 'failed' } })).toEqual([
    '~ a 1/2',
    '- b 2/2',
    '  failed',
  ])
})

test('a folder with more subfolders than are shown says how many more there are, and more of them can be shown', () => {
  expect(drawing(initialExpansion, { '/': { kind: 'loaded', names: ['a'], total: 900 } })).toEqual([
    '+ a 1/900',
    '899 more',
  ])
  expect(showMore(initialExpansion, root).get(root)).toBe(childrenStep * 2)
})

test('the open folder has a row even if it is not among the first subfolders', () => {
  const children = { '/': { kind: 'loaded', names: ['a', 'b'], total: 900 } } as const
  expect(drawing(initialExpansion, children, at('/m/n'))).toEqual([
    '+ a 1/900',
    '+ b 2/900',
    '+ m 3/900',
    '897 more',
  ])
  expect(drawing(initialExpansion, { '/': loaded('a') }, at('/gone'))).toEqual(['+ a 1/1'])
})

test('opening a folder expands the folders above it, and not the folder itself', () => {
  expect([...expandTo(initialExpansion, at('/a/b/c')).keys()]).toEqual(['/', '/a', '/a/b'])
  const expansion = expandTo(initialExpansion, at('/a/b/c'))
  expect(expandTo(expansion, at('/a/b/d'))).toBe(expansion)
})

test('collapsing a folder forgets what was expanded below it', () => {
  const expansion = expandTo(initialExpansion, at('/a/b/c/d'))
  expect([...collapse(expansion, at('/a/b')).keys()]).toEqual(['/', '/a'])
})

test.each([
  ['a rename keeps the folder expanded', '/a', '/z', ['/', '/z', '/z/b', '/ab']],
  ['a move keeps the folder expanded', '/a/b', '/ab/b', ['/', '/a', '/ab/b', '/ab']],
  ['a delete forgets the folder', '/a', null, ['/', '/ab']],
  ['other folders stay as they are', '/other', null, ['/', '/a', '/a/b', '/ab']],
])('after a change, %s', (_case, from, to, expected) => {
  const expansion = expand(expandTo(initialExpansion, at('/a/b/c')), at('/ab'))
  const change = { from: at(from), to: to === null ? null : at(to) }
  expect([...expansionAfter(expansion, change).keys()]).toEqual(expected)
})
