import { expect, test } from 'vitest'
import { positionInText, textOfNames } from './text-of-names.ts'

test.each([
  [['Docs'], 'Docs'],
  [['Docs', 'a%2Fb #?&+ 😀', ' x'], 'Docs / a%2Fb #?&+ 😀 / ·x'],
  [['one \u202E'], 'one ⟨U+202E⟩'],
  [['صور', 'עץ'], '\u2066\u2068صور\u2069 / \u2068עץ\u2069\u2069'],
])('the names %j are the text %j', (names, text) => expect(textOfNames(names)).toBe(text))

test.each([[['Docs', 'Taxes', '2024']], [['صور', 'Docs', 'עץ']]])(
  'each letter of %j has the same position in the text',
  (names) => {
    const joined = names.join('/')
    const text = textOfNames(names)
    const letters = Array.from(joined.matchAll(/[^/]/g), ({ index }) => index)
    expect(letters.map((at) => text[positionInText(joined, at)])).toEqual(letters.map((at) => joined[at]))
  },
)
