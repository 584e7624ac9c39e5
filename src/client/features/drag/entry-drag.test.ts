import { expect, test } from 'vitest'
import { pathOf, root } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { type EntryDrag, refusalOf } from './entry-drag.ts'

const entry = (name: string, isFolder: boolean): ListedEntry => ({
  name,
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: 0,
  type: '',
})
const dragTo = (target: string | null, verb: EntryDrag['verb'] = 'move'): EntryDrag => ({
  folder: root,
  entries: [entry('Docs', true), entry('a.txt', false)],
  verb,
  target: target === null ? null : pathOf(target),
  x: 0,
  y: 0,
})

test.each([
  [dragTo('/Photos'), null],
  [dragTo(null), null],
  [dragTo('/Docs'), 'into-itself'],
  [dragTo('/Docs/deep', 'copy'), 'into-itself'],
  [dragTo('/Docs 2'), null],
  [dragTo('/a.txt'), null],
  [dragTo('/'), 'already-here'],
  [dragTo('/', 'copy'), null],
] as const)(
  'a drop is refused only on a dragged folder, below it, and at its own place',
  (drag, expected) => {
    expect(refusalOf(drag, () => true)).toBe(expected)
  },
)

test('a move needs the rename permission, and a copy the create permission', () => {
  expect(refusalOf(dragTo('/Photos'), (name) => name === 'create')).toBe('forbidden')
  expect(refusalOf(dragTo('/Photos', 'copy'), (name) => name === 'create')).toBe(null)
})
