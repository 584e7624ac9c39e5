import { expect, test } from 'vitest'
import './icelandic-formats.ts'
import { formatters } from './locale.ts'

/** Node knows Icelandic, so the formats for browsers that do not are compared with those of Node. */
const formatOf = (purpose: string) =>
  formatters.get(`is ${purpose}`) as { readonly format: (...values: readonly unknown[]) => string }

test('relative times are those of Intl', () => {
  const known = new Intl.RelativeTimeFormat('is', { numeric: 'auto' })
  const counts = [1, 2, 5, 11, 21, 101, 1100]
  for (const unit of ['minute', 'hour', 'day', 'month', 'year'] as const)
    for (const count of counts.flatMap((each) => [each, -each]))
      expect(formatOf('relative').format(count, unit)).toBe(known.format(count, unit))
  expect(formatOf('relative').format(0, 'second')).toBe(known.format(0, 'second'))
})

test('plurals, dates, percentages, lists and lengths are those of Intl', () => {
  const plurals = formatters.get('is plural') as Intl.PluralRules
  const known = new Intl.PluralRules('is')
  for (const count of [0, 1, 2, 11, 21, 100, 111, 121, 1_000_000])
    expect(plurals.select(count)).toBe(known.select(count))
  const shortDate = new Intl.DateTimeFormat('is', { dateStyle: 'short', timeStyle: 'short' })
  expect(formatOf('date').format(1e12)).toBe(shortDate.format(1e12))
  const month = new Intl.DateTimeFormat('is', { month: 'long', year: 'numeric' })
  for (let at = 0; at < 12; at += 1)
    expect(formatOf('month').format(1e12 + at * 2_600_000_000)).toBe(month.format(1e12 + at * 2_600_000_000))
  expect(formatOf('percent').format(0.42)).toBe(
    new Intl.NumberFormat('is', { style: 'percent' }).format(0.42),
  )
  for (const texts of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    expect(formatOf('times').format(texts)).toBe(new Intl.ListFormat('is', { type: 'unit' }).format(texts))
    const choice = new Intl.ListFormat('is', { type: 'disjunction' })
    expect(formatOf('kinds').format(texts)).toBe(choice.format(texts))
  }
  for (const unit of ['hour', 'minute', 'second'] as const)
    for (const count of [1, 2, 21]) {
      const length = new Intl.NumberFormat('is', { style: 'unit', unit, unitDisplay: 'long' })
      expect(formatOf(`long ${unit}`).format(count)).toBe(length.format(count))
    }
})
