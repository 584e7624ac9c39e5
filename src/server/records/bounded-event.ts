import { createHash } from 'node:crypto'
import type { AuditDetail } from '../../shared/contract/audit.ts'
import { auditEventLimits as limits } from '../../shared/domain/limits/audit-limits.ts'

type Details = Readonly<Record<string, AuditDetail>>

/** The parts of an event that have limits. */
type EventTexts = Readonly<Record<'username' | 'session' | 'address' | 'target' | 'destination', string>> & {
  readonly details: Details
}

/** Returns an event whose texts are cut to the limits of `auditEventLimits`. An event within the limits is unchanged. */
export const boundedEvent = <E extends EventTexts>(event: E): E => ({
  ...event,
  username: shortenedText(event.username, limits.usernameBytes),
  session: shortenedText(event.session, limits.sessionBytes),
  address: shortenedText(event.address, limits.addressBytes),
  target: shortenedText(event.target, limits.pathBytes),
  destination: shortenedText(event.destination, limits.pathBytes),
  details: boundedDetails(event.details),
})

/**
 * Escapes the characters that end a line, control a terminal or change the direction of the text around them, and that
 * JSON permits inside strings.
 */
export const escapeForLine = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Returns the size in bytes of a value in a line for collectors. */
const lineBytes = (value: unknown): number => Buffer.byteLength(escapeForLine(JSON.stringify(value)))

/** The quotation marks around a string in JSON. */
const quotesBytes = 2
/** The bytes of one UTF-16 unit in a line: at most six for an escape such as `\u202e`, and at least one. */
const maxUnitBytes = 6

/**
 * Cuts a text so that its JSON has at most `maxBytes` bytes, without its quotation marks. A cut text ends with the length of
 * the whole text in UTF-8 and the first 16 digits of its SHA-256, by which a suspected text can be confirmed.
 */
export function shortenedText(text: string, maxBytes: number): string {
  if (text.length * maxUnitBytes <= maxBytes) return text
  if (text.length <= maxBytes && lineBytes(text) - quotesBytes <= maxBytes) return text
  const bytes = Buffer.from(text)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const ending = `… [${bytes.length} bytes, SHA-256 ${digest}]`
  return headWithin(text, maxBytes - Buffer.byteLength(ending)) + ending
}

/** Returns as much of the start of a text as fits into a number of bytes, without half of a surrogate pair. */
function headWithin(text: string, maxBytes: number): string {
  let head = text.slice(0, maxBytes)
  for (let excess = lineBytes(head) - quotesBytes - maxBytes; excess > 0;) {
    head = head.slice(0, -Math.ceil(excess / maxUnitBytes))
    excess = lineBytes(head) - quotesBytes - maxBytes
  }
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head
}

/** Cuts the texts and lists among details. Details for which no room is left are omitted. */
function boundedDetails(details: Details): Details {
  const bounded: Record<string, AuditDetail> = {}
  let leftBytes = limits.detailsBytes
  for (const [name, value] of Object.entries(details)) {
    const detail = boundedDetail(value)
    leftBytes -= lineBytes({ [name]: detail })
    if (leftBytes >= 0) bounded[name] = detail
  }
  return bounded
}

function boundedDetail(value: AuditDetail): AuditDetail {
  if (typeof value === 'string') return shortenedText(value, limits.textBytes)
  return typeof value === 'object' ? boundedList(value) : value
}

/** Cuts the items of a list. Of a list that is still too long, only the first items stay, and the number of the others. */
function boundedList(items: readonly string[]): readonly string[] {
  const bounded: string[] = []
  // The room for the number of the omitted items, such as `"+9999"`, with a comma.
  let leftBytes = limits.listBytes - 10
  for (const item of items) {
    const text = shortenedText(item, limits.itemBytes)
    leftBytes -= lineBytes(text) + 1
    if (leftBytes < 0) return [...bounded, `+${items.length - bounded.length}`]
    bounded.push(text)
  }
  return bounded
}
