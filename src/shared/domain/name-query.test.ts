import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameMatch, createTextMatch, parseNameQuery } from './name-query.ts'

const matchingNames = (
  query: string,
  names: readonly string[],
  accents?: { readonly ignoresAccents: boolean },
): string[] => names.filter(createNameMatch(parseNameQuery(query, accents)))

const names = ['Report 2024.pdf', 'report.PDF', 'song.mp3', 'a.ogg', 'Pic.JPG', 'film.mkv', 'docs', 'mp3']

test.each([
  ['report', ['Report 2024.pdf', 'report.PDF']],
  ['REPORT', ['Report 2024.pdf', 'report.PDF']],
  ['song film', ['song.mp3', 'film.mkv']],
  ['song  film', ['song.mp3', 'film.mkv']],
  ['"report 2024"', ['Report 2024.pdf']],
  ['case:sensitive report', ['report.PDF']],
  ['report case:sensitive', ['report.PDF']],
  ['case:insensitive report', ['Report 2024.pdf', 'report.PDF']],
  ['type:pdf', ['Report 2024.pdf', 'report.PDF']],
  ['type:pdf case:sensitive', ['Report 2024.pdf']],
  ['type:PDF case:sensitive', ['report.PDF']],
  ['type:audio', ['song.mp3', 'a.ogg']],
  ['type:music', ['song.mp3', 'a.ogg']],
  ['type:image', ['Pic.JPG']],
  ['type:video type:image', ['Pic.JPG', 'film.mkv']],
  ['type:audio song', ['song.mp3']],
  ['song type:audio', ['song.mp3']],
  ['type:constructor', []],
  ['', names],
  ['   ', names],
  ['type:', []],
  ['"', []],
  ['""', names],
])('the search query %j finds the expected names (contract 7)', (query, found) => {
  expect(matchingNames(query, names)).toEqual(found)
})

const accented = ['Café.txt', 'cafe\u0301.md', 'Cafe', 'Łódź', 'Ærø', 'Straße', 'İstanbul']

test.each([
  ['cafe', ['Café.txt', 'cafe\u0301.md', 'Cafe']],
  ['CAFÉ', ['Café.txt', 'cafe\u0301.md', 'Cafe']],
  ['cafe\u0301', ['Café.txt', 'cafe\u0301.md', 'Cafe']],
  ['case:sensitive Cafe', ['Cafe']],
  ['istan', ['İstanbul']],
  ['"ero"', []],
  ['arø', []],
  ['strasse', []],
  ['\u0301', []],
])('a search that ignores accents finds names for %j', (query, found) => {
  expect(matchingNames(query, accented, { ignoresAccents: true })).toEqual(found)
})

test('a search counts accents unless it is told to ignore them (contract 7)', () => {
  expect(matchingNames('cafe', accented)).toEqual(['cafe\u0301.md', 'Cafe'])
  expect(matchingNames('café', accented)).toEqual(['Café.txt'])
})

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const quirky = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'type:',
        'case:',
        'sensitive',
        'insensitive',
        'image',
        '"',
        ' ',
        'a',
        'İ',
        '\ud83d',
        ':',
      ),
    )
    .map((parts) => parts.join('')),
)

test('for arbitrary queries, matching a name never throws and gives the same result twice', () => {
  fc.assert(
    fc.property(quirky, quirky, (query, name) => {
      const matches = createNameMatch(parseNameQuery(query))
      expect(matches(name)).toBe(matches(name))
    }),
  )
})

test('a part of a name matches it in any case, next to other words', () => {
  fc.assert(
    fc.property(word, word, word, (prefix, part, suffix) => {
      const name = `${prefix}${part}${suffix}.txt`
      for (const query of [
        part,
        part.toUpperCase(),
        `${part} zzzzzzzzzzz`,
        `  "${part}" `,
        `${part} type:txt`,
      ])
        expect(matchingNames(query, [name])).toEqual([name])
      expect(matchingNames(`${part} type:zip`, [name])).toEqual([])
    }),
  )
})

test('a string of many names matches whenever one of the names matches', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'Σ', 'ς', 'σ', 'İ', 'I', 'ı', 'ß', 'ſ', '.', '\u0307', '\uD800'),
    maxLength: 6,
  })
  fc.assert(
    fc.property(
      letters,
      fc.array(letters, { maxLength: 4 }),
      fc.boolean(),
      (query, names, ignoresAccents) => {
        const wanted = parseNameQuery(query, { ignoresAccents })
        if (!names.some(createNameMatch(wanted))) return
        expect(createTextMatch(wanted)([...names, ''].join('\0'))).toBe(true)
      },
    ),
  )
  expect(createTextMatch(parseNameQuery('zebra'))('one\0two\0')).toBe(false)
})
