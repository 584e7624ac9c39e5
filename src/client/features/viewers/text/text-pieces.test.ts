import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOfText } from './text-pieces.ts'

test('the pieces of a text are its whole, end with lines, and are short also where a line is not', () => {
  const lines = `${'A line of a text.\n'.repeat(5000)}${'\u{1f600}'.repeat(20_001)}\n\nend`
  const pieces = piecesOfText(lines)
  expect(pieces.join('')).toBe(lines)
  expect(pieces.filter((piece) => piece.length > 10_000)).toEqual([])
  expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([])
  expect(pieces.slice(0, 9).every((piece) => piece.endsWith('.\n'))).toBe(true)
  assert(property(string({ maxLength: 50 }), (text) => piecesOfText(text).join('') === text))
})
