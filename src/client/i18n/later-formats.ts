import { formatterFor } from './format.ts'

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
