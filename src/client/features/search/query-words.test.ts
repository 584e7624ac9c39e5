import { expect, test } from 'vitest'
import { createNameMatch } from '../../../shared/domain/name-query.ts'
import { hasWord, kindsIn, parseSearch, queryOf, toggleWord, wordsWithoutOptions } from './query-words.ts'

test.each([
  [' scan ', 'scan'],
  ['"line 7."', '"line 7."'],
  ['my *.JPG', 'my type:JPG'],
  ['*.tar.gz', '*.tar.gz'],
])('the text "%s" is searched for as %s', (text, query) => {
  expect(queryOf(text)).toBe(query)
})

test.each([
  ['final report', 'Report final.txt', true],
  ['final report', 'Report.txt', false],
  ['"final report"', 'Report final.txt', false],
  ['resume *.PDF', 'Résumé.pdf', true],
  ['resume *.pdf', 'Résumé.txt', false],
  ['type:image my cat', 'cat of mine, my.png', true],
])('the text "%s" and the name "%s"', (text, name, isMatch) => {
  expect(createNameMatch(parseSearch(text))(name)).toBe(isMatch)
})

test('the words of a text are those that are no options', () => {
  expect(['type:image ', 'my *.jpg cat', 'prototype:x'].map(wordsWithoutOptions)).toEqual([
    '',
    'my  cat',
    'prototype:x',
  ])
})

test('the kinds of a text are those to which it narrows the search', () => {
  expect(['my scan', 'type:pdf scan', '*.JPG', 'type:pdf type:image'].map(kindsIn)).toEqual([
    null,
    { kind: 'pdf', words: ['pdf'] },
    { kind: 'other', words: ['jpg'] },
    { kind: 'other', words: ['pdf', 'image'] },
  ])
})

test('a word is added at the start and removed again', () => {
  expect(toggleWord('', 'type:pdf')).toBe('type:pdf ')
  expect(toggleWord('my scan', 'type:pdf')).toBe('type:pdf my scan')
  expect(toggleWord('type:pdf my scan', 'type:pdf')).toBe('my scan')
  expect([hasWord('type:pdfx', 'type:pdf'), hasWord('a type:pdf', 'type:pdf')]).toEqual([false, true])
})
