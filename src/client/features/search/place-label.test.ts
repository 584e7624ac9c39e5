import { expect, test } from 'vitest'
import { nameOf, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { placeLabel } from './place-label.ts'

const entryAt = (path: string): ListedEntry => ({
  folder: parentOf(path as Path),
  name: nameOf(path as Path),
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: 'text',
})

test('the place of a result names the folders below the searched one', () => {
  expect(placeLabel(entryAt('/Mix/one/a.txt'), root)).toBe('Mix / one')
  expect(placeLabel(entryAt('/Mix/one/a.txt'), '/Mix' as Path)).toBe('one')
  expect(placeLabel(entryAt('/Mix/one \u202E/a.txt'), '/Mix' as Path)).toBe('one ⟨U+202E⟩')
})
