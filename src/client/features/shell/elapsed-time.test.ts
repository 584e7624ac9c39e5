import { expect, test } from 'vitest'
import { durationText } from './elapsed-time.tsx'

test.each([
  [0, '0:00'],
  [7999, '0:07'],
  [61_000, '1:01'],
  [3_599_000, '59:59'],
  [3_723_000, '1:02:03'],
  [360_000_000, '100:00:00'],
])('%i ms are shown as %s', (durationMs, text) => expect(durationText(durationMs)).toBe(text))
