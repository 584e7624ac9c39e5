import type { ChangedShare, NewShare, ShareMode } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { isShareAlias } from '../../shared/domain/limits/share-alias.ts'
import { isSenderName } from '../../shared/domain/limits/sender-name.ts'

/**
 * The terms of a share: its mode, and its start and end in whole seconds since 1970. A start of null means immediately, and an end of null
 * means never.
 */
export type ShareTerms = {
  readonly mode: ShareMode
  readonly expiresAtSeconds: number | null
  readonly availableFromSeconds: number | null
  /** The limits of an upload-only share; null for no limit. */
  readonly maxFiles: number | null
  readonly maxBytes: number | null
  /** The name that guests see as the sender; empty for none. */
  readonly senderName: string
  /** An address beside the hash, in lower case; empty for none. */
  readonly alias: string
  /** The number of downloads that the share allows; null for no limit. */
  readonly maxDownloads: number | null
  readonly tellsOfFiles: boolean
}

/** Length of each unit in seconds (specification 5). */
const secondsPerUnit: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
}
/** Maximum duration that the form accepts, in units. */
const maxUnits = 2_147_483_647
/** The last second of the year 9999, in seconds since 1970. */
const lastSecond = 253_402_300_799

/**
 * Returns the terms of a new share. Without a duration, or with a
 * duration of 0, the share is permanent. Without a unit, the duration is in hours. Throws `bad-request` for an invalid
 * duration, start or name and for an unknown unit (contract 9.4, A9, A10).
 */
export function termsOf(terms: NewShare, nowMs: number): ShareTerms {
  const duration = { expires: terms.expires ?? '', unit: terms.unit ?? '' }
  return {
    expiresAtSeconds: endOf(duration, nowMs),
    availableFromSeconds: momentOf(terms.availableFrom ?? ''),
    mode: terms.mode ?? 'download',
    maxFiles: limitOf(terms.maxFiles),
    maxBytes: limitOf(terms.maxBytes),
    senderName: senderOf(terms.senderName ?? ''),
    alias: aliasOf(terms.alias ?? ''),
    maxDownloads: limitOf(terms.maxDownloads),
    tellsOfFiles: terms.tellsOfFiles ?? false,
  }
}

/**
 * Returns the terms that a change of a share sets. A duration counts from now. Throws `bad-request` as {@link termsOf}
 * does.
 */
export function changedTermsOf(
  terms: ChangedShare,
  nowMs: number,
): Partial<ShareTerms & { readonly seenFiles: number }> {
  const { expires, availableFrom, mode, maxFiles, maxBytes, senderName, alias } = terms
  const { maxDownloads, tellsOfFiles, seenFiles } = terms
  const end = endOf({ expires: expires ?? '', unit: terms.unit ?? '' }, nowMs)
  return {
    ...(isPresent(expires) && { expiresAtSeconds: end }),
    ...(isPresent(availableFrom) && { availableFromSeconds: momentOf(availableFrom) }),
    ...(isPresent(mode) && { mode }),
    ...(isPresent(maxFiles) && { maxFiles: limitOf(maxFiles) }),
    ...(isPresent(maxBytes) && { maxBytes: limitOf(maxBytes) }),
    ...(isPresent(senderName) && { senderName: senderOf(senderName) }),
    ...(isPresent(alias) && { alias: aliasOf(alias) }),
    ...(isPresent(maxDownloads) && { maxDownloads: limitOf(maxDownloads) }),
    ...(isPresent(tellsOfFiles) && { tellsOfFiles }),
    ...(isPresent(seenFiles) && { seenFiles }),
  }
}

/** Returns a limit as it is stored: 0 and a missing value mean that there is no limit. */
const limitOf = (value: number | null | undefined): number | null => value || null

/** Returns the name of a sender as it is stored. Throws `bad-request` for one that guests must not be shown. */
function senderOf(name: string): string {
  const trimmed = name.trim()
  if (!isSenderName(trimmed))
    throw refused('the name of the sender is too long, or contains control characters or marks of direction')
  return trimmed
}

/** Returns an alias as it is stored, in lower case. Throws `bad-request` for one that has another form. */
function aliasOf(alias: string): string {
  const trimmed = alias.trim()
  if (trimmed !== '' && !isShareAlias(trimmed))
    throw new AppError('bad-request', {
      reason: 'an own address has 9 to 40 letters, digits and hyphens, and not 22',
      refused: 'alias',
    })
  return trimmed.toLowerCase()
}

const isPresent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

type ShareDuration = { readonly expires: string | number; readonly unit: string }

function endOf({ expires, unit }: ShareDuration, nowMs: number): number | null {
  const count = countOf(expires)
  const seconds = Object.hasOwn(secondsPerUnit, unit === '' ? 'hours' : unit)
    ? secondsPerUnit[unit === '' ? 'hours' : unit]
    : null
  if (seconds === null || seconds === undefined)
    throw refused('the unit must be seconds, minutes, hours or days')
  return count === 0 ? null : Math.floor(nowMs / 1000) + count * seconds
}

function countOf(value: string | number): number {
  const text = String(value).trim()
  if (text === '') return 0
  const count = /^\+?\d+$/.test(text) ? Number(text) : -1
  if (count < 0 || count > maxUnits)
    throw refused('the duration of the share must be a whole number, 0 or more')
  return count
}

function momentOf(value: string | number): number | null {
  const text = String(value).trim()
  if (text === '' || text === '0') return null
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(dated(text)) / 1000)
  if (!(seconds > 0 && seconds <= lastSecond)) throw refused('the start of the share is not a valid date')
  return seconds
}

/** Returns the text if it is an ISO 8601 date, and an empty text for other date formats, because they are ambiguous. */
const dated = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) ? text : ''

const refused = (reason: string): AppError => new AppError('bad-request', { reason })
