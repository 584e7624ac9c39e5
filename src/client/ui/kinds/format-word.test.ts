import { expect, test } from 'vitest'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { compileMessage } from '../../../../scripts/texts/catalogue.ts'
import { addTexts } from '../../i18n/translate.ts'
import { formatWord } from './format-word.ts'

const texts = {
  'kind.format.image': '{format} picture',
  'kind.format.video': '{format} video',
  'kind.format.audio': '{format} audio',
  'kind.format.document': '{format} document',
  'kind.format.sheet': '{format} spreadsheet',
  'kind.format.slides': '{format} presentation',
  'kind.format.archive': '{format} archive',
  'kind.format.file': '{format} file',
  'kind.image': 'Picture',
  'kind.word': 'Word document',
  'kind.document': 'Text document',
  'kind.pdf': 'PDF document',
  'kind.sheet': 'Spreadsheet',
  'kind.text': 'Text',
  'kind.disk': 'Disk image',
  'kind.book': 'E-book',
  'kind.file': 'File',
  'kind.folder': 'Folder',
  'kind.link': 'Link',
  'kind.brokenLink': 'Broken link',
  'kind.unreachable': 'Not reachable',
}
addTexts(Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, compileMessage(text)])))

const wordOf = (name: string, type = typeOfName(name) ?? 'text') =>
  formatWord({ name, type, isFolder: false, isBroken: false, isLink: false })

test.each([
  ['photo.jpg', 'JPEG picture'],
  ['PHOTO.JPEG', 'JPEG picture'],
  ['photo.cr2', 'CR2 picture'],
  ['a.heic', 'HEIC picture'],
  ['film.mkv', 'MKV video'],
  ['song.mp3', 'MP3 audio'],
  ['report.docx', 'Word document'],
  ['report.odt', 'Text document'],
  ['report.pdf', 'PDF document'],
  ['budget.xlsx', 'Excel spreadsheet'],
  ['budget.ods', 'Spreadsheet'],
  ['talk.pptx', 'PowerPoint presentation'],
  ['all.zip', 'Zip archive'],
  ['all.tar.gz', 'Gzip archive'],
  ['notes.md', 'Markdown document'],
  ['notes.txt', 'Text'],
  ['LICENSE', 'Text'],
  ['script.py', 'Python file'],
  ['main.ts', 'TS file'],
  ['config.yml', 'YAML file'],
  ['disk.iso', 'Disk image'],
  ['book.epub', 'E-book'],
])('%s is a %s', (name, word) => {
  expect(wordOf(name)).toBe(word)
})

test('a name without a usual extension has the general word', () => {
  expect(wordOf('IMG 2024', 'image')).toBe('Picture')
  expect(wordOf('IMG.2024', 'image')).toBe('Picture')
  expect(wordOf('photo.of the family', 'image')).toBe('Picture')
  expect(wordOf('data.2024', 'blob')).toBe('File')
  expect(wordOf('data.xyz', 'blob')).toBe('XYZ file')
})

test('folders and links have their own words, whatever their names are', () => {
  const entry = { name: 'a.zip', type: 'blob', isFolder: false, isBroken: false, isLink: false } as const
  expect(formatWord({ ...entry, isFolder: true, type: '' })).toBe('Folder')
  expect(formatWord({ ...entry, isLink: true })).toBe('Link')
  expect(formatWord({ ...entry, isBroken: true })).toBe('Broken link')
  expect(formatWord({ ...entry, isUnreachable: true })).toBe('Not reachable')
})
