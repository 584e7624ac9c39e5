import { expect, test } from 'vitest'
import { isSenderName } from './sender-name.ts'

test.each([
  ['no name', '', true],
  ['a name', 'Anna Þórsdóttir', true],
  ['a name from right to left', 'ليلى', true],
  ['a name with an emoji of several characters', 'Anna 👩\u200D🌾', true],
  ['markup, which is shown as text', '<b>Anna</b>', true],
  ['60 characters beyond the basic plane', '🌾'.repeat(60), true],
  ['61 characters', 'a'.repeat(61), false],
  ['a line break', 'Anna\nBank', false],
  ['a separator of lines', 'Anna\u2028Bank', false],
  ['a control character', 'Anna\u0000', false],
  ['an override of the direction', 'Anna\u202Egro.knab', false],
  ['an isolate', '\u2067Anna', false],
  ['a mark of the direction', 'Anna\u200F', false],
  ['an emoji with a variation selector', 'Anna ❤\uFE0F', true],
  ['emoji that are joined after a variation selector', '👁\uFE0F\u200D🗨\uFE0F', true],
  ['a Persian name with a non-joiner', 'علی\u200Cرضا', true],
  ['a Sinhala name with a joiner', 'ශ\u0DCA\u200Dරී', true],
  ['a Japanese name with an ideographic variation', '葛\u{E0100}城', true],
  ['a filler alone', '\u3164', false],
  ['a filler behind a name', 'Anna\u115F', false],
  ['an empty braille pattern alone', '\u2800', false],
  ['spaces alone', '\u00A0\u2003', false],
  ['tag characters', 'Anna\u{E0041}\u{E007F}', false],
  ['a space of no width', 'An\u200Bna', false],
  ['a joiner beside a space', 'Anna \u200D', false],
  ['a joiner alone', '\u200D', false],
  ['a variation selector behind a letter', 'Anna\uFE0F', false],
  ['a mark of combination alone', '\u034F', false],
  ['half of a character', 'Anna\uD83C', false],
])('%s', (_case, name, isAllowed) => {
  expect(isSenderName(name)).toBe(isAllowed)
})
