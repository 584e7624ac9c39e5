import { locale } from './translate.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
const minuteMs = 60_000
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 60 * minuteMs],
  ['month', 30 * 24 * 60 * minuteMs],
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
]

/** A formatter is slow to make and is asked for once per row: one is kept for each language and purpose. */
const kept = new Map<string, unknown>()

function keep<T>(purpose: string, make: (tag: string) => T): T {
  const tag = intlTag(locale.get())
  const key = `${tag} ${purpose}`
  if (!kept.has(key)) kept.set(key, make(tag))
  return kept.get(key) as T
}

/** Pseudo-languages format as English does. */
const intlTag = (tag: string): string => (/-X[AB]$/.test(tag) ? 'en' : tag)

/** Bytes in steps of 1024 with the labels that people know: `2.4 MB`. */
export function formatSize(sizeBytes: number): string {
  const step = sizeBytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(sizeBytes) / 10))
  const value = sizeBytes / 1024 ** step
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  const number = keep(`size${digits}`, (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits }))
  return `${number.format(value)}\u00A0${units[step]}`
}

/** A whole number with its groups: `1,204`. */
export const formatCount = (count: number): string =>
  keep('count', (tag) => new Intl.NumberFormat(tag)).format(count)

/** The exact date and time: `11/20/26, 7:26 PM`. */
export const formatDate = (timeMs: number): string =>
  keep('date', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'short' })).format(
    timeMs,
  )

/** How long ago, in the largest whole unit: `3 days ago`. */
export function formatRelative(timeMs: number, nowMs: number = Date.now()): string {
  const relative = keep('relative', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const distance = timeMs - nowMs
  const [unit, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', 1000] as const)
  return relative.format(unit === 'second' ? 0 : Math.trunc(distance / size), unit)
}

/** A part of a whole, rounded up: `42 %`. */
export const formatPercent = (fraction: number): string =>
  keep('percent', (tag) => new Intl.NumberFormat(tag, { style: 'percent' })).format(
    Math.ceil(fraction * 100) / 100,
  )
