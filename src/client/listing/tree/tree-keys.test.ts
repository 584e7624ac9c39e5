import { expect, test } from 'vitest'
import { pathOf, root } from '../../../shared/domain/path.ts'
import { treeCommandOf } from './tree-keys.ts'
import type { TreeRow } from './tree-rows.ts'

const row = (text: string, state: { isExpanded?: boolean; isLeaf?: boolean } = {}): TreeRow => {
  const names = text.split('/').slice(1)
  return {
    kind: 'folder',
    key: text,
    folder: pathOf(text) ?? root,
    name: names.at(-1) ?? '',
    level: names.length,
    position: 1,
    setSize: 1,
    isExpanded: false,
    isLeaf: false,
    needsCheck: false,
    isLoading: false,
    ...state,
  }
}

const rows = [
  row('/Docs', { isExpanded: true }),
  row('/Docs/old'),
  row('/Docs/paper', { isExpanded: true, isLeaf: true }),
  row('/Photos'),
]

test.each([
  ['ArrowDown', 0, { kind: 'focus', index: 1 }],
  ['ArrowDown', 3, { kind: 'focus', index: 3 }],
  ['ArrowUp', 0, { kind: 'focus', index: 0 }],
  ['Home', 2, { kind: 'focus', index: 0 }],
  ['End', 0, { kind: 'focus', index: 3 }],
  ['ArrowRight', 3, { kind: 'expand' }],
  ['ArrowRight', 0, { kind: 'focus', index: 1 }],
  ['ArrowRight', 2, null],
  ['ArrowLeft', 0, { kind: 'collapse' }],
  ['ArrowLeft', 2, { kind: 'focus', index: 0 }],
  ['ArrowLeft', 3, null],
  ['Delete', 0, null],
])('%s on row %i gives the right command', (key, at, command) => {
  expect(treeCommandOf(key, { rows, at, isRightToLeft: false })).toEqual(command)
})

test('in right-to-left languages the horizontal arrows are exchanged', () => {
  expect(treeCommandOf('ArrowLeft', { rows, at: 3, isRightToLeft: true })).toEqual({ kind: 'expand' })
  expect(treeCommandOf('ArrowRight', { rows, at: 0, isRightToLeft: true })).toEqual({ kind: 'collapse' })
})
