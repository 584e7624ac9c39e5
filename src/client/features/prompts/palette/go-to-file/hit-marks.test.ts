import { expect, test } from 'vitest'
import { pathOf } from '../../../../../shared/domain/path.ts'
import { createHitMarks } from './hit-marks.ts'

test.each([
  ['report', '/reports/my report.txt', ['report'], ['report']],
  ['qrep', '/old/quarterly-report.pdf', ['q', 'rep'], []],
  ['usctl', '/user-settings/control.ts', ['c', 't', 'l'], ['us']],
  ['usctl', '/users/ctl', ['ctl'], ['us']],
  ['rp', '/\u202Er p.txt', ['r', 'p'], []],
  ['cafe', '/x/Cafe\u0301', ['Cafe\u0301'], []],
  ['nothing', '/a/b.txt', [], []],
] as const)('%j marks its letters in %j', (text, address, nameParts, folderParts) => {
  const path = pathOf(address)!
  const { name, folder } = createHitMarks(text)(path)
  const shownName = address.slice(address.lastIndexOf('/') + 1).replace('\u202E', '⟨U+202E⟩')
  const shownFolder = address.slice(1, Math.max(1, address.lastIndexOf('/')))
  expect(name.map(({ start, end }) => shownName.slice(start, end))).toEqual(nameParts)
  expect(folder.map(({ start, end }) => shownFolder.slice(start, end))).toEqual(folderParts)
})
