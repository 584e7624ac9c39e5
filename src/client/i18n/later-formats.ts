import { formatterFor } from './locale.ts'

/** Formats a number with at most the given number of decimals, for example `2.8`. */
export const formatNumber = (value: number, decimals: number): string =>
  formatterFor(
    `number${decimals}`,
    (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: decimals, useGrouping: false }),
  ).format(value)

/** Formats a fraction as a percentage, rounded up, for example `42 %`. */
export const formatPercent = (fraction: number): string =>
  formatterFor('percent', (tag) => new Intl.NumberFormat(tag, { style: 'percent' })).format(
    Math.ceil(fraction * 100) / 100,
  )

/**
 * Reads a whole number that a person typed, with or without separators between its groups of digits, in Latin digits or in
 * those of the language of the page. Returns null for any other text.
 */
export function parseCount(text: string): number | null {
  const values = formatterFor('digits', digitValues)
  const digits = Array.from(text.replaceAll(/[\s.,'’٬_]/g, ''), (sign) => values.get(sign) ?? sign).join('')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null
}

/** Returns the values of the digits of a language, keyed by digit. */
function digitValues(tag: string): ReadonlyMap<string, number> {
  const format = new Intl.NumberFormat(tag)
  return new Map(Array.from({ length: 10 }, (_, value) => [format.format(value), value]))
}
