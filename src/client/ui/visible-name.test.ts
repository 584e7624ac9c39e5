import { expect, test } from 'vitest'
import { badgeOf, fileIcon } from './glyphs/file-icon.ts'
import { partsOfName, visibleName } from './visible-name.ts'

test.each([
  ['\u202Egpj.exe', '⟨U+202E⟩gpj.exe'],
  ['a\u0007b\tc', 'a⟨U+0007⟩b⟨U+0009⟩c'],
  ['zero\u200Bwidth', 'zero⟨U+200B⟩width'],
  ['  a b ', '··a b·'],
  ['   ', '···'],
  ['عربي.txt', 'عربي.txt'],
  ['👩‍👧.png', '👩‍👧.png'],
  ['👩🏽\u200D🔬.png', '👩🏽\u200D🔬.png'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['क्\u200Dष', 'क्\u200Dष'],
  ['a\u200Db', 'a⟨U+200D⟩b'],
  ['👩\u200D', '👩⟨U+200D⟩'],
])('the name %j is shown as %s', (name, shown) => {
  expect(visibleName(name)).toBe(shown)
})

test.each([
  ['a-very-long-name-of-a-report.pdf', 'a-very-long-name-of-a-rep', 'ort.pdf'],
  ['short.txt', 'short.txt', ''],
  ['a-long-name-without-extension', 'a-long-name-without-ext', 'ension'],
  ['.a-long-dotfile-name', '.a-long-dotfil', 'e-name'],
  ['a picture of 👩‍👧👩‍👧👩‍👧.png', 'a picture of ', '👩‍👧👩‍👧👩‍👧.png'],
  ['name.with-a-very-long-last-part', 'name.with-a-very-long-las', 't-part'],
  ['تقرير عن المشروع ٢٠٢٦.pdf', 'تقرير عن المشروع ٢٠٢٦.pdf', ''],
  ['a-report-about-פרויקט.docx', 'a-report-about-פרויקט.docx', ''],
])('%s is split into %s and %s', (name, start, end) => {
  expect(partsOfName(name)).toEqual({ start, end })
})

test.each([
  [{ name: 'Photos', type: '', isFolder: true }, 'folder'],
  [{ name: 'a.tar.gz', type: 'blob', isFolder: false }, 'archive'],
  [{ name: 'a.PNG', type: 'image', isFolder: false }, 'image'],
  [{ name: 'a.nef', type: 'image', isFolder: false }, 'raw'],
  [{ name: 'a.ts', type: 'video', isFolder: false }, 'video'],
  [{ name: 'a.ts', type: 'text', isFolder: false }, 'code'],
  [{ name: 'notes', type: 'text', isFolder: false }, 'text'],
  [{ name: 'talk.key', type: 'blob', isFolder: false }, 'slides'],
  [{ name: 'x.xyz', type: 'blob', isFolder: false }, 'unknown'],
])('%o has the glyph %s', (entry, glyph) => {
  expect(fileIcon(entry)).toBe(glyph)
})

test('a broken link shows as one, whatever its name says; an unknown kind shows its letters', () => {
  expect(fileIcon({ name: 'a.png', type: 'invalid_link', isFolder: false, isBroken: true })).toBe(
    'link-broken',
  )
  expect([badgeOf('x.xyz'), badgeOf('x.toolong'), badgeOf('.env'), badgeOf('none')]).toEqual([
    'XYZ',
    '',
    '',
    '',
  ])
})
