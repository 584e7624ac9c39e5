import { clientLimits } from '../../../shared/domain/limits/client-limits.ts'
import type { NewShare, ShareMode, ShareResource } from '../../../shared/contract/shares.ts'
import { formatNumber, parseCount, parseDecimal } from '../../i18n/later-formats.ts'

/** The units of a duration (specification 3), with their lengths in milliseconds. */
export const unitMs = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const
export type DurationUnit = keyof typeof unitMs
export const durationUnits = Object.keys(unitMs) as readonly DurationUnit[]

/** Largest duration that the server accepts, in units (specification 5). */
export const maxDuration = 2_147_483_647

/** The fields of the form for a link, as the user has typed them. */
export type LinkFields = {
  /** The duration in units. An empty text or 0 makes a permanent link. */
  readonly duration: string
  readonly unit: DurationUnit
  readonly password: string
  /** A local date and time as a browser's field gives it, such as `2026-11-25T18:30`. Empty for a link that works at once. */
  readonly from: string
  readonly mode: ShareMode
  /** The name that guests see as the sender. Empty for none. */
  readonly sender: string
  /** The address beside the random one. Empty for none. */
  readonly alias: string
  /** The limit of downloads. An empty text stands for no limit. */
  readonly maxDownloads: string
  /** True when the user wants to be told of files that arrive through an upload-only link. */
  readonly tellsOfFiles: boolean
  /** The limits of an upload-only link: a number of files, and a size in MB. Empty texts stand for no limit. */
  readonly maxFiles: string
  readonly maxSize: string
  /** The end that the link already has, in ms since 1970, until a duration is typed. Null for every other link. */
  readonly keptEndMs: number | null
  /** True while the link has a password that it keeps unless another one is typed. */
  readonly keepsPassword: boolean
}

/** The specification presets hours as the unit, and no duration. */
export const emptyFields: LinkFields = {
  duration: '',
  unit: 'hours',
  password: '',
  from: '',
  mode: 'download',
  sender: '',
  alias: '',
  maxDownloads: '',
  tellsOfFiles: false,
  maxFiles: '',
  maxSize: '',
  keptEndMs: null,
  keepsPassword: false,
}

/** Returns the fields that describe an existing link. Its password is not known. */
export const fieldsOfLink = (link: ShareResource): LinkFields => ({
  ...emptyFields,
  from: link.availableFrom === 0 ? '' : localMinute(link.availableFrom * 1000),
  mode: link.mode,
  sender: link.senderName ?? '',
  alias: link.alias ?? '',
  maxDownloads: textOfLimit(link.maxDownloads),
  tellsOfFiles: link.drop?.newFiles !== undefined,
  maxFiles: textOfLimit(link.drop?.maxFiles),
  maxSize: textOfLimit((link.drop?.maxBytes ?? 0) / bytesPerMegabyte),
  keptEndMs: link.expire === 0 ? null : link.expire * 1000,
  keepsPassword: link.hasPassword,
})

/** The units of sizes have steps of 1024, as everywhere on screen. */
const bytesPerMegabyte = 1024 * 1024

/** Returns a limit as it is typed, with at most three decimals. */
const textOfLimit = (limit = 0): string => (limit === 0 ? '' : formatNumber(limit, 3))

/**
 * Returns the number of files or of downloads that a typed text allows, 0 for no limit, or null for a text that is not a valid number.
 */
export function maxFilesOf(typed: string): number | null {
  const count = typed.trim() === '' ? 0 : parseCount(typed)
  return count === null || count > clientLimits.receivedFiles ? null : count
}

/**
 * Returns the number of bytes that a typed size in MB allows, 0 for no limit, or null for a text that is not a valid
 * size.
 */
export function maxBytesOf(typed: string): number | null {
  const size = typed.trim() === '' ? 0 : parseDecimal(typed)
  const sizeBytes = size === null ? Number.NaN : Math.round(size * bytesPerMegabyte)
  return sizeBytes <= Number.MAX_SAFE_INTEGER ? sizeBytes : null
}

/** Returns a time in the form of a browser's field for a local date and time, without its seconds. */
function localMinute(timeMs: number): string {
  const date = new Date(timeMs)
  return new Date(timeMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the duration in units, 0 for a permanent link, or null for a text that is not a valid duration. */
export function durationOf(typed: string): number | null {
  const count = typed.trim() === '' ? 0 : parseCount(typed)
  return count === null || count > maxDuration ? null : count
}

/** Returns the time at which a link of these fields ends, or null for a permanent one. */
export function endOf({ duration, unit, keptEndMs }: LinkFields, nowMs: number = Date.now()): number | null {
  if (keptEndMs !== null) return keptEndMs
  const count = durationOf(duration) ?? 0
  return count === 0 ? null : nowMs + count * unitMs[unit]
}

/** Returns the time from which a link of these fields works, or null when it works at once. */
export function startOf({ from }: LinkFields): number | null {
  const startMs = from === '' ? Number.NaN : new Date(from).getTime()
  return Number.isNaN(startMs) ? null : startMs
}

/** True for a time that has not come yet. */
export const isAhead = (timeMs: number): boolean => timeMs > Date.now()

/** Returns the request for a link. The server counts the duration from the arrival of the request. */
export function termsOfFields(fields: LinkFields): NewShare {
  const startMs = startOf(fields)
  return {
    password: fields.password,
    expires: String(durationOf(fields.duration) ?? ''),
    unit: fields.unit,
    ...(fields.mode !== 'download' && { mode: fields.mode }),
    ...(fields.mode === 'upload-only' && limitsOfFields(fields)),
    ...(fields.mode === 'upload-only' && fields.tellsOfFiles && { tellsOfFiles: true }),
    ...(fields.mode === 'download' &&
      limitOfDownloads(fields) !== 0 && { maxDownloads: limitOfDownloads(fields) }),
    ...(fields.alias.trim() !== '' && { alias: fields.alias.trim() }),
    ...(fields.sender.trim() !== '' && { senderName: fields.sender.trim() }),
    ...(startMs !== null && { availableFrom: Math.floor(startMs / 1000) }),
  }
}

/** Returns the request that changes a link to these fields. It contains only what changes. */
export function changesOfFields(link: ShareResource, fields: LinkFields): NewShare {
  const isPermanent = (durationOf(fields.duration) ?? 0) === 0
  const endsAnew = fields.keptEndMs === null && !(isPermanent && link.expire === 0)
  const before = fieldsOfLink(link)
  // Only links for downloading show the limit, so that others have none.
  const maxDownloads = fields.mode === 'download' ? limitOfDownloads(fields) : 0
  const removesPassword = link.hasPassword && !fields.keepsPassword
  return {
    ...(endsAnew && { expires: String(durationOf(fields.duration) ?? ''), unit: fields.unit }),
    ...((fields.password !== '' || removesPassword) && { password: fields.password }),
    ...(fields.from !== before.from && {
      availableFrom: Math.floor((startOf(fields) ?? 0) / 1000),
    }),
    ...(fields.mode !== link.mode && { mode: fields.mode }),
    ...(fields.tellsOfFiles !== before.tellsOfFiles && { tellsOfFiles: fields.tellsOfFiles }),
    ...(maxDownloads !== (link.maxDownloads ?? 0) && { maxDownloads }),
    ...(fields.alias.trim().toLowerCase() !== before.alias && { alias: fields.alias.trim() }),
    ...(fields.sender.trim() !== before.sender && { senderName: fields.sender.trim() }),
    ...(changesLimits(link, fields) && limitsOfFields(fields)),
  }
}

/** Returns the limit of downloads that is typed; 0 for none. */
export const limitOfDownloads = ({ maxDownloads }: Pick<LinkFields, 'maxDownloads'>): number =>
  maxFilesOf(maxDownloads) ?? 0

const limitsOfFields = ({ maxFiles, maxSize }: LinkFields): Pick<NewShare, 'maxFiles' | 'maxBytes'> => ({
  maxFiles: maxFilesOf(maxFiles) ?? 0,
  maxBytes: maxBytesOf(maxSize) ?? 0,
})

function changesLimits(link: ShareResource, fields: LinkFields): boolean {
  if (fields.mode !== 'upload-only') return false
  const before = fieldsOfLink(link)
  return link.mode !== fields.mode || before.maxFiles !== fields.maxFiles || before.maxSize !== fields.maxSize
}

/** Characters of generated passwords. It has none that people confuse, such as 0 and O. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/**
 * Returns a random password of 16 characters (92 bits). Random bytes above the largest multiple of the alphabet's length
 * are dropped, so that every character is equally likely.
 */
export function generatePassword(): string {
  let password = ''
  while (password.length < 16) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < 256 - (256 % alphabet.length)) password += alphabet[byte % alphabet.length] ?? ''
  }
  return password
}
