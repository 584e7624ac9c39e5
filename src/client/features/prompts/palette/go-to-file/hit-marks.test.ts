import { expect, test } from 'vitest'
import { parentOf, pathOf } from '../../../../../shared/domain/path.ts'
import { textOfPlace } from '../../../../paths/names-of-place.ts'
import { createHitMarks } from './hit-marks.ts'

test.each([
  ['report', '/reports/my report.txt', ['report'], ['report']],
  ['qrep', '/old/quarterly-report.pdf', ['q', 'rep'], []],
  ['usctl', '/user-settings/control.ts', ['c', 't', 'l'], ['us']],
  ['usctl', '/users/ctl', ['ctl'], ['us']],
  ['rp', '/\u202Er p.txt', ['r', 'p'], []],
  ['cafe', '/x/Cafe\u0301', ['Cafe\u0301'], []],
  ['taxes/2024', '/Docs/Taxes/2024/a.txt', [], ['Taxes / 2024']],
  ['2024', '/صور/2024/a.txt', [], ['2024']],
  ['nothing', '/a/b.txt', [], []],
] as const)('%j marks its letters in %j', (text, address, nameParts, folderParts) => {
  const path = pathOf(address)!
  const { name, folder } = createHitMarks(text)(path)
  const shownName = address.slice(address.lastIndexOf('/') + 1).replace('\u202E', '⟨U+202E⟩')
  const shownFolder = textOfPlace(parentOf(path))
  expect(name.map(({ start, end }) => shownName.slice(start, end))).toEqual(nameParts)
  expect(folder.map(({ start, end }) => shownFolder.slice(start, end))).toEqual(folderParts)
})
