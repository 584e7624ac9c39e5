import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWordBreaker } from './long-words.ts'

const breaksIn = (...texts: readonly string[]): readonly (readonly number[])[] => {
  const breaker = createWordBreaker()
  return texts.map((text) => breaker.breaksIn(text))
}

test.each([
  ['text with spaces', 'word '.repeat(1000), []],
  ['a word of 250 letters', 'a'.repeat(250), []],
  ['a longer word', 'a'.repeat(600), [250, 500]],
  ['a long word after others', `one two ${'ب'.repeat(300)}`, [258]],
  ['spaces that keep their neighbours together', 'a\u00A0'.repeat(150), [250]],
  ['a mark', `${'a'.repeat(250)}\u0301${'a'.repeat(100)}`, [251]],
  ['punctuation at the end of a sentence', `${'字'.repeat(250)}。${'字'.repeat(100)}`, [251]],
  ['the two halves of a character', `a${'😀'.repeat(150)}`, [251]],
  ['a family of three', `${'a'.repeat(249)}👨\u200D👩\u200D👧${'a'.repeat(100)}`, [257]],
  ['only marks', `a${'\u0301'.repeat(300)}`, [250]],
])('the places for line breaks in %s', (_, text, breaks) => {
  expect(breaksIn(text)).toEqual([breaks])
})

test('a word goes on in the next element, and a space ends it', () => {
  expect(breaksIn('a'.repeat(150), 'b'.repeat(150), 'c'.repeat(100))).toEqual([[], [100], []])
  expect(breaksIn('a'.repeat(150), '', 'b'.repeat(150))).toEqual([[], [], [100]])
  expect(breaksIn('a'.repeat(150), ' ', 'b'.repeat(150))).toEqual([[], [], []])
  expect(breaksIn('a'.repeat(150), ' b'.repeat(100), 'c'.repeat(249))).toEqual([[], [], []])
})

test('no piece of any text is longer than the limit, and no character is divided', () => {
  const letters = fc.constantFrom('a', ' ', '😀', '\u0301', '\u200D', '.', 'ب', '\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(letters, fc.nat(700)), { maxLength: 12 }), (runs) => {
      const text = runs.map(([letter, count]) => letter.repeat(count)).join('')
      const breaks = breaksIn(text)[0] ?? []
      const pieces = [0, ...breaks].flatMap((start, index) => text.slice(start, breaks[index]).split(/[ \n]/))
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(271)
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
    }),
  )
})
