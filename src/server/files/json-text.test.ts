import { expect, test } from 'vitest'
import { createIsoFormatter, escapedText } from './json-text.ts'

test.each([
  'plain.txt',
  'quo"te',
  'back\\slash',
  'tab\there',
  'line\nbreak',
  'ünï',
  '😀',
  'raw\udc80byte',
  '\u2028',
])('the fast writer writes %j as valid JSON', (name) => {
  expect(JSON.parse(`"${escapedText(name)}"`)).toBe(name)
})

test('times are formatted as Date.prototype.toISOString formats them', () => {
  const iso = createIsoFormatter()
  const times = [
    0, -1, 1, 999, 1732200000123, 1732200000124, 86_399_999, 86_400_000, 951_782_400_000, -86_400_001,
  ]
  expect(times.map(iso)).toEqual(times.map((ms) => new Date(ms).toISOString()))
})

test('invalid times and fractions of a millisecond are formatted too', () => {
  const iso = createIsoFormatter()
  expect([iso(Number.NaN), iso(1.9), iso(1e20)]).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ])
})
