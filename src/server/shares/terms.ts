import type { ShareQuery, ShareWish } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'

/** When a share begins and ends, in whole seconds since 1970; null for at once and for never. */
export type Terms = {
  readonly expiresAtSeconds: number | null
  readonly availableFromSeconds: number | null
}

/** What a unit is in seconds (specification 5). */
const units: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }
/** The most that the form takes. */
const mostUnits = 2_147_483_647
/** The end of the year 9999. */
const lastSecond = 253_402_300_799

/**
 * The terms of a new share: the body's word counts before the query's. Empty, missing or 0 is permanent, no unit is hours; anything
 * that is no such number, or no unit, is `bad-request` (contract 9.4, A9, A10).
 */
export function termsOf(wish: ShareWish, query: ShareQuery, nowMs: number): Terms {
  const count = countOf(wish.expires ?? query.expires ?? '')
  const unit = wish.unit ?? query.unit ?? ''
  const seconds = Object.hasOwn(units, unit === '' ? 'hours' : unit)
    ? units[unit === '' ? 'hours' : unit]
    : null
  if (seconds === null || seconds === undefined) throw refused('the unit is seconds, minutes, hours or days')
  return {
    expiresAtSeconds: count === 0 ? null : Math.floor(nowMs / 1000) + count * seconds,
    availableFromSeconds: momentOf(wish.availableFrom ?? ''),
  }
}

function countOf(value: string | number): number {
  const text = String(value).trim()
  if (text === '') return 0
  const count = /^\+?\d+$/.test(text) ? Number(text) : -1
  if (count < 0 || count > mostUnits)
    throw refused('the time that a share lasts is a whole number, 0 or more')
  return count
}

function momentOf(value: string | number): number | null {
  const text = String(value).trim()
  if (text === '' || text === '0') return null
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(dated(text)) / 1000)
  if (!(seconds > 0 && seconds <= lastSecond)) throw refused('the time that a share begins at is no date')
  return seconds
}

/** Only ISO 8601: other dates are read differently from place to place. */
const dated = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) ? text : ''

const refused = (reason: string): AppError => new AppError('bad-request', { reason })
