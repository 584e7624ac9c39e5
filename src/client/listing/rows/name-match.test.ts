import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import { createNameMatch, parseNameQuery } from '../../../shared/domain/name-query.ts'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { appendRows, finishColumns } from './column-writes.ts'
import { createColumns, type ListingColumns } from './columns.ts'
import { createRowMatch, matchingRanges } from './name-match.ts'

function columnsOf(names: readonly string[]): ListingColumns {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  appendRows(
    columns,
    names.map((name): ListingRow => [name, 1, 0, 'text', 0]),
  )
  finishColumns(columns)
  return columns
}

const names = [
  'Scan.pdf',
  'landscape.JPG',
  'Résumé.txt',
  'cafe\u0301.md',
  '東京.png',
  'bad\udcff.bin',
  'İstanbul',
]

function matches(text: string): string[] {
  const columns = columnsOf(names)
  const { test: match } = createRowMatch(parseNameQuery(text))
  return names.filter((_, id) => match(columns, id))
}

test.each([
  ['sca', ['Scan.pdf', 'landscape.JPG']],
  ['SCA', ['Scan.pdf', 'landscape.JPG']],
  ['case:sensitive sca', ['landscape.JPG']],
  ['case:sensitive É', []],
  ['resume', ['Résumé.txt']],
  ['RÉSUMÉ', ['Résumé.txt']],
  ['café', ['cafe\u0301.md']],
  ['京', ['東京.png']],
  ['bad', ['bad\udcff.bin']],
  ['istan', ['İstanbul']],
  ['type:image', ['landscape.JPG', '東京.png']],
  ['type:image scape', ['landscape.JPG']],
  ['type:pdf', ['Scan.pdf']],
  ['scan tokyo 東', ['Scan.pdf', '東京.png']],
  ['nothing', []],
])('the text "%s" matches %j', (text, expected) => {
  expect(matches(text)).toEqual(expected)
})

test('every name that the search of the server accepts is accepted', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'B', 'b', '.', 'é', 'E', '\u0301', 'ß', '東', ' ', 'K'),
  })
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '.', 'é', 'e', '東', ' ', 'k', 'ß'),
    minLength: 1,
  })
  fc.assert(
    fc.property(
      fc.array(
        name.filter((it) => it !== ''),
        { minLength: 1 },
      ),
      text,
      (names, text) => {
        const query = parseNameQuery(text, { ignoresAccents: true })
        const columns = columnsOf(names)
        const { test: match } = createRowMatch(query)
        const server = createNameMatch(query)
        expect(names.filter((name, id) => server(name) && !match(columns, id))).toEqual([])
      },
    ),
  )
})

const marked = (name: string, text: string): string =>
  matchingRanges(name, parseNameQuery(text))
    .toReversed()
    .reduce(
      (out, { start, end }) => `${out.slice(0, start)}[${out.slice(start, end)}]${out.slice(end)}`,
      name,
    )

test.each([
  ['Scan of scans.pdf', 'sca', '[Sca]n of [sca]ns.pdf'],
  ['Résumé.txt', 'sume', 'Ré[sumé].txt'],
  ['cafe\u0301.md', 'fe', 'ca[fe\u0301].md'],
  ['😀 scan', 'scan', '😀 [scan]'],
  ['aaa', 'aa', '[aa]a'],
  ['abcd', 'abc bcd', '[abcd]'],
  ['東京.png', '京', '東[京].png'],
  ['Scan.pdf', 'case:sensitive scan', 'Scan.pdf'],
  ['Scan.pdf', 'type:pdf', 'Scan.pdf'],
])('in "%s" the parts that match "%s" are marked: %s', (name, text, expected) => {
  expect(marked(name, text)).toBe(expected)
})
