import { expect, test } from 'vitest'
import { hasWord, queryOf, toggleWord } from './query-words.ts'

test.each([
  ['scan', 'scan'],
  [' scan ', 'scan'],
  ['line 7.', '"line 7."'],
  ['"line 7."', '"line 7."'],
  ['type:image ', 'type:image'],
  ['type:image my cat', 'type:image "my cat"'],
  ['my type:image cat case:sensitive', 'type:image case:sensitive "my  cat"'],
  ['prototype:x y', '"prototype:x y"'],
])('the text "%s" is searched for as %s', (text, query) => {
  expect(queryOf(text)).toBe(query)
})

test('a word is added at the start and removed again', () => {
  expect(toggleWord('', 'type:pdf')).toBe('type:pdf ')
  expect(toggleWord('my scan', 'type:pdf')).toBe('type:pdf my scan')
  expect(toggleWord('type:pdf my scan', 'type:pdf')).toBe('my scan')
  expect([hasWord('type:pdfx', 'type:pdf'), hasWord('a type:pdf', 'type:pdf')]).toEqual([false, true])
})
