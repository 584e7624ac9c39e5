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

/** Groups of digits with the same separator between them. The last group has three digits, and Indian numbers have groups of two. */
const grouped = /^\d{1,3}(?=([\s'’٬_.,]))(\1\d{2,3})*\1\d{3}$/

/**
 * Reads a whole number that a person typed, with or without separators between its groups of digits, in Latin, Arabic,
 * Persian or full-width digits. Returns null for any other text.
 */
export function parseCount(text: string): number | null {
  const digits = withoutGroups(plainNumber(text))
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null
}

/**
 * Reads a positive number that a person typed, which may have decimals: `1.5`, `1,500.5`, in German `1.500,5`, in Arabic
 * `١٫٥`. A single comma or full stop is the decimal separator, unless it separates thousands in the language of the page.
 * Returns null for any other text.
 */
export function parseDecimal(text: string): number | null {
  const number = plainNumber(text)
  const at = decimalAt(number)
  const whole = withoutGroups(at === -1 ? number : number.slice(0, at))
  const decimals = at === -1 ? '0' : number.slice(at + 1)
  return /^\d{1,15}$/.test(whole) && /^\d{1,15}$/.test(decimals) ? Number(`${whole}.${decimals}`) : null
}

/**
 * Returns a typed number with Latin digits and separators, and without marks of its text direction. The last four bits of
 * an Arabic, Persian or full-width digit are its value.
 */
const plainNumber = (text: string): string =>
  text
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .trim()
    .replaceAll(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('،', ',')
    .replaceAll('．', '.')

const withoutGroups = (number: string): string =>
  grouped.test(number) ? number.replaceAll(/\D/g, '') : number

/** Returns the position of the decimal separator in a typed number, or -1. */
function decimalAt(number: string): number {
  const at = Math.max(...['.', ',', '٫'].map((sign) => number.lastIndexOf(sign)))
  const sign = number.charAt(at)
  if (at === -1 || sign === '٫' || sign === formatterFor('decimal', decimalSeparator)) return at
  // Another separator than the one of the language is a decimal separator where it cannot separate thousands.
  return number.indexOf(sign) === at && !grouped.test(number) ? at : -1
}

const decimalSeparator = (tag: string): string =>
  new Intl.NumberFormat(tag).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
