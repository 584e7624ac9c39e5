/**
 * The validators of some bytes, which tell one version from another. `etag` is strong and without quotation marks; null
 * stands for a validator that does not exist.
 */
export type Validators = { readonly etag: string | null; readonly modifiedMs: number | null }

/** The validators of an answer that is produced anew for each request: it has none. */
export const noValidators: Validators = { etag: null, modifiedMs: null }

/** Returns a request header by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined

/** `go` answers the request, `not-modified` answers 304, and `failed` means that the condition does not hold (412). */
export type PreconditionResult = 'go' | 'not-modified' | 'failed'

/** Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 13.2.2. */
export function judgePreconditions(header: ReadHeader, validators: Validators): PreconditionResult {
  const ifMatch = header('if-match')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, validators.etag, 'strong')) return 'failed'
  } else if (isLaterThan(validators, header('if-unmodified-since')) === true) return 'failed'

  const ifNoneMatch = header('if-none-match')
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, validators.etag, 'weak') ? 'not-modified' : 'go'
  return isLaterThan(validators, header('if-modified-since')) === false ? 'not-modified' : 'go'
}

/**
 * True when `Range` applies. It does not when `If-Range` names another version of the file (RFC 9110 13.1.5: a strong
 * tag, or the exact date).
 */
export function isRangeApplicable(header: ReadHeader, validators: Validators): boolean {
  const ifRange = header('if-range')?.trim()
  if (ifRange === undefined) return true
  const { etag, modifiedMs } = validators
  if (ifRange.startsWith('"')) return etag !== null && ifRange === `"${etag}"`
  if (ifRange.startsWith('W/')) return false
  return modifiedMs !== null && dateMs(ifRange) === wholeSecondMs(modifiedMs)
}

/**
 * True when a list of tags holds the tag, or is `*`. Weak tags match in the weak comparison only. A null tag is in no
 * list.
 */
export function matches(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true
  }
  return false
}

/**
 * True when the bytes changed after the date. Null, which means that the header is ignored, when either date is missing
 * or the header cannot be read.
 */
function isLaterThan({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const atMs = date === undefined ? Number.NaN : dateMs(date)
  return modifiedMs === null || Number.isNaN(atMs) ? null : wholeSecondMs(modifiedMs) > atMs
}

/**
 * The three forms of a date (RFC 9110 5.6.7). The last one names no time zone and means UTC. `Date.parse` alone accepts
 * far more, such as `0`.
 */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Parses an HTTP date to ms since 1970; NaN for a text that is no HTTP date. */
function dateMs(text: string): number {
  const date = text.trim()
  if (!dateForms.some((form) => form.test(date))) return Number.NaN
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
}

const wholeSecondMs = (ms: number): number => Math.floor(ms / 1000) * 1000
