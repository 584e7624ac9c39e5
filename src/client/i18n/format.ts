import { createStore, useStore } from '../state/store.ts'
import { formatterFor } from './locale.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const
const minuteMs = 60_000
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 60 * minuteMs],
  ['month', 30 * 24 * 60 * minuteMs],
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
]

/**
 * Formats a size in bytes with units in steps of 1024, for example `2.4 MB`. English readers of File Browser know the
 * unit as `KB`; other languages write it as `Intl` does.
 */
export function formatSize(sizeBytes: number): string {
  const step = sizeBytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(sizeBytes) / 10))
  const value = sizeBytes / 1024 ** step
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  const number = formatterFor(
    `size${digits}`,
    (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits }),
  )
  const unit = units[step] ?? 'byte'
  return `${number.format(value)}\u00A0${formatterFor(unit, (tag) => nameOfUnit(tag, unit))}`
}

/** Returns the short name of a unit in a language, for example `Mo` in French. */
function nameOfUnit(tag: string, unit: string): string {
  const parts = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' }).formatToParts(1)
  const name = parts.find(({ type }) => type === 'unit')?.value.trim() ?? unit
  return name === 'kB' && tag.startsWith('en') ? 'KB' : name
}

/** Formats the exact date and time, for example `11/20/26, 7:26 PM`. */
export const formatDate = (timeMs: number): string =>
  formatterFor(
    'date',
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'short' }),
  ).format(timeMs)

/** Formats a month, for example `November 2026`. */
export const formatMonth = (timeMs: number): string =>
  formatterFor('month', (tag) => new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric' })).format(
    timeMs,
  )

/**
 * The time from which all relative times on screen are counted, in milliseconds. With one clock, two places never say
 * different times of the same file. Relative times have no smaller unit than a minute, so it advances once a minute.
 */
export const clock = createStore(Date.now())

/** Formats a time relative to now. The component renders again as time passes. */
export const useRelativeTime = (timeMs: number): string => formatRelative(timeMs, useStore(clock))

/**
 * Formats a time relative to now in the largest whole unit, for example `3 days ago`. A time in the future is rounded, so
 * that a link of two days says `in 2 days` also a moment after it was created.
 */
export function formatRelative(timeMs: number, nowMs: number = clock.get()): string {
  const relative = formatterFor('relative', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const distance = timeMs - nowMs
  const whole = distance > 0 ? Math.round : Math.trunc
  const [unit, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', 1000] as const)
  return relative.format(unit === 'second' ? 0 : whole(distance / size), unit)
}
