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
  ['half of a character', 'Anna\uD83C', false],
])('%s', (_case, name, isAllowed) => {
  expect(isSenderName(name)).toBe(isAllowed)
})
