import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCsvReader, maxColumns } from './csv-reader.ts'

const recordsOf = (text: string, { pieceLength = 7, usual = ',', chosen = null as string | null } = {}) => {
  const reader = createCsvReader(usual, chosen)
  // The first piece is long enough to guess the delimiter, as in the product.
  const pieces = [text.slice(0, 64), ...(text.slice(64).match(new RegExp(`.{1,${pieceLength}}`, 'gs')) ?? [])]
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()]
}

test.each<[string, string, string[][]]>([
  [
    'commas',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons with decimal commas',
    'a;b\n1,5;2,5\n3,5;4\n',
    [
      ['a', 'b'],
      ['1,5', '2,5'],
      ['3,5', '4'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t2, 3',
    [
      ['a', 'b'],
      ['1', '2, 3'],
    ],
  ],
  [
    'bars',
    'a|b\n1|2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a delimiter that the first line tells', 'sep=;\na,b;c\n', [['a,b', 'c']]],
  [
    'quotes, also with delimiters and lines in them',
    'a,b\n"1, ""x""","l1\nl2"\n',
    [
      ['a', 'b'],
      ['1, "x"', 'l1\nl2'],
    ],
  ],
  [
    'all kinds of line ends',
    'a,b\r\n1,2\r3,4\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'lines of different lengths',
    'a,b\n1\n1,2,3\n\n4,5',
    [['a', 'b'], ['1'], ['1', '2', '3'], [''], ['4', '5']],
  ],
  ['a single column', 'a\nb\n', [['a'], ['b']]],
  ['nothing', '', []],
  ['a formula and markup as they are', '=1+1,<b>\n', [['=1+1', '<b>']]],
  [
    'a quote that is never closed',
    'a,b\n"1,2\n3,4\n5,"6\n7,8',
    [
      ['a', 'b'],
      ['"1', '2'],
      ['3', '4'],
      ['5', '"6'],
      ['7', '8'],
    ],
  ],
  [
    'a quote in the middle of a cell',
    'a,b\n1" x,2"\n',
    [
      ['a', 'b'],
      ['1" x', '2"'],
    ],
  ],
])('%s are read', (_title, text, records) => {
  expect(recordsOf(text)).toEqual(records)
  expect(recordsOf(text, { pieceLength: 1 })).toEqual(records)
})

test('a single column of a .tsv file is not divided at its commas', () => {
  expect(recordsOf('a\nb, c\n', { usual: '\t' })).toEqual([['a'], ['b, c']])
})

const quoted = (record: string[]) => record.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')

test('quoted cells come back, wherever the text is divided', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', 'é'), maxLength: 5 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (records, pieceLength) => {
      const text = `sep=,\n${records.map(quoted).join('\n')}`
      expect(recordsOf(text, { pieceLength })).toEqual(records)
    }),
  )
})

test('a file with a broken quote in every line is read in a short time', () => {
  const text = 'name,size\n' + '"x,1\n'.repeat(100_000)
  const records = recordsOf(text, { pieceLength: 100_000 })
  expect(records).toHaveLength(100_001)
  expect(records.at(-1)).toEqual(['"x', '1'])
})

test('the last cell of a record with too many cells contains the others', () => {
  const [record] = recordsOf(`sep=,\n${'x,'.repeat(maxColumns + 1)}y`, { pieceLength: 1000 })
  expect(record).toHaveLength(maxColumns)
  expect(record?.at(-1)).toBe('x,x,y')
})

test('a chosen delimiter is used instead of the one that the text seems to have or tells', () => {
  expect(recordsOf('a,b;c\n1,2;3\n', { chosen: ';' })).toEqual([
    ['a,b', 'c'],
    ['1,2', '3'],
  ])
  expect(recordsOf('sep=;\na|b;c\n', { chosen: '|' })).toEqual([['a', 'b;c']])
})
