import { expect, test } from 'vitest'
import { listedTextFile } from '../../../../test/kit/listed-text-file.ts'
import { type Path, root } from '../../../shared/domain/path.ts'
import { placeLabel } from './place-label.ts'

const entryAt = (path: string) => listedTextFile(path as Path)

test('the place of a result names the folders below the searched one', () => {
  expect(placeLabel(entryAt('/Mix/one/a.txt'), root)).toBe('Mix / one')
  expect(placeLabel(entryAt('/Mix/one/a.txt'), '/Mix' as Path)).toBe('one')
  expect(placeLabel(entryAt('/Mix/one \u202E/a.txt'), '/Mix' as Path)).toBe('one ⟨U+202E⟩')
})
