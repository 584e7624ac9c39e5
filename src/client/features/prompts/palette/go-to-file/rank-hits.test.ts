import { expect, test } from 'vitest'
import { pathOf, root, type Path } from '../../../../../shared/domain/path.ts'
import { createHitRanking } from './rank-hits.ts'

const hitsOf = (paths: readonly string[]) => paths.map((text) => ({ path: pathOf(text)! }))

/** A folder that contains no hit. */
const elsewhere = pathOf('/elsewhere') ?? root

/** Returns the paths in the order of their ranks, for hits that arrive in one batch. */
const order = (text: string, paths: readonly string[], limit = 50, open: Path = elsewhere): string[] =>
  createHitRanking<ReturnType<typeof hitsOf>[number]>(text, { limit, open })(hitsOf(paths)).map(
    ({ path }) => path,
  )

test.each<{ readonly what: string; readonly text: string; readonly ranked: readonly string[] }>([
  {
    what: 'a number is a word, and not a part of a longer number',
    text: 'img 4',
    ranked: [
      '/img 4.png',
      '/deep/in/folders/img 4.png',
      '/IMG_4.jpg',
      '/img 45.png',
      '/copy_of_IMG_0004.jpg',
      '/old_IMG_4.jpg',
      '/my-img-44.jpg',
      '/IMG_0145.jpg',
      '/IMG_0245.jpg',
      '/img/holiday 4.jpg',
    ],
  },
  {
    what: 'the exact name is first, with or without its extension, then names that start with it',
    text: 'report',
    ranked: [
      '/report',
      '/report.txt',
      '/b/report',
      '/report-2024.txt',
      '/Reports',
      '/our report.txt',
      '/our reports.txt',
      '/misreported.txt',
      '/reports/a.txt',
    ],
  },
  {
    what: 'case, accents and signs do not count',
    text: 'cafe menu',
    ranked: ['/CAFÉ_Menü.pdf', '/Café-Menu 2.pdf', '/Menu of the café.pdf', '/cafés and menus.pdf'],
  },
  {
    what: 'a capital letter begins a word',
    text: 'read me',
    ranked: ['/readMe.md', '/readMeFirst.md', '/thread meeting.md'],
  },
  {
    what: 'names of the same grade: the one in fewer folders, then natural order',
    text: 'page',
    ranked: ['/page 1.md', '/page 2.md', '/page 10.md', '/a/page 1.md'],
  },
  {
    what: 'an extension that is typed belongs to the name',
    text: 'a.b',
    ranked: ['/a.b', '/c/a.b', '/a-b', '/a.bc', '/x a b', '/xa.b'],
  },
  { what: 'a text in quotation marks is one part', text: '"n m"', ranked: ['/n m', '/an me'] },
  { what: 'a text without letters is found as it is', text: '_', ranked: ['/_', '/a_b', '/_/abc'] },
  {
    what: 'names with the first letters of their words, by the words that are left out, are before folders that contain the text',
    text: 'qrep',
    ranked: [
      '/a/b/my qrep.txt',
      '/quarterly report.pdf',
      '/a/quarterly report.pdf',
      '/quick meeting report.pdf',
      '/qrep/a.txt',
      '/q/report.pdf',
    ],
  },
  {
    what: 'the first letters of words are better than a text inside of a word',
    text: 'ft',
    ranked: ['/ft.md', '/FileTable.tsx', '/src/file-tree.ts', '/Report draft.md'],
  },
  {
    what: 'letters inside of words count only without a better hit',
    text: 'usctl',
    ranked: ['/user-control', '/user-settings/control.ts'],
  },
  { what: 'a type alone keeps all hits', text: 'type:image', ranked: ['/10.png', '/a.png', '/b/a.jpeg'] },
])('$what', ({ text, ranked }) => {
  expect(order(text, ranked.toReversed())).toEqual(ranked)
})

test('hits with letters inside of words are left out when there is a better hit', () => {
  expect(order('side', ['/sidebar.tsx', '/src/index.ts', '/Toggle side.md'])).toEqual([
    '/sidebar.tsx',
    '/Toggle side.md',
  ])
  expect(order('dark', ['/theme-dark.css', '/document about a remark.pdf'])).toEqual(['/theme-dark.css'])
})

test('hits that lack a part of the text are left out', () => {
  const add = createHitRanking<ReturnType<typeof hitsOf>[number]>('img 4', { limit: 50, open: elsewhere })
  const added = (paths: readonly string[]) => add(hitsOf(paths)).map(({ path }) => path)
  expect(added(['/page 4.md', '/img.png'])).toEqual([])
  expect(added(['/IMG_0145.jpg'])).toEqual(['/IMG_0145.jpg'])
  expect(added(['/IMG_4.jpg', '/4.txt'])).toEqual(['/IMG_4.jpg', '/IMG_0145.jpg'])
})

test('the best hits are kept, in whatever batch they arrive', () => {
  const many = Array.from({ length: 60 }, (_, n) => `/deep/IMG_${String(n + 100)}4.jpg`)
  expect(order('img 4', [...many, '/IMG_4.jpg'], 50)).toHaveLength(50)
  expect(order('img 4', [...many, '/IMG_4.jpg'], 50)[0]).toBe('/IMG_4.jpg')
})

test('of hits with the same grade, those in the open folder are first, then those below it', () => {
  const paths = [
    '/Report 1.md',
    '/Docs/Report 2024 of the board, final draft.docx',
    '/Docs/Old/Report 2.md',
    '/a/Report.pdf',
  ]
  expect(order('report', paths, 50, pathOf('/Docs')!)).toEqual([
    '/a/Report.pdf',
    '/Docs/Report 2024 of the board, final draft.docx',
    '/Docs/Old/Report 2.md',
    '/Report 1.md',
  ])
})

test('a name precedes those that go on after it', () => {
  expect(order('annual', ['/Annual report (2).md', '/Annual report final.md', '/Annual report.md'])[0]).toBe(
    '/Annual report.md',
  )
})

test('hits in equally many folders are in the order of a listing', () => {
  expect(
    order('inv', ['/a/b/c/InvoiceTable.tsx', '/Invoice 2 Schmidt.pdf', '/Invoice 1 Muller GmbH.pdf']),
  ).toEqual(['/Invoice 1 Muller GmbH.pdf', '/Invoice 2 Schmidt.pdf', '/a/b/c/InvoiceTable.tsx'])
})
