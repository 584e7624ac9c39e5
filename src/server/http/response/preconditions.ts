/**
 * The validators of a file or of other bytes, which identify a version of the content. `etag` is a strong tag without
 * quotation marks. Null means that the validator does not exist.
 */
export type Validators = { readonly etag: string | null; readonly modifiedMs: number | null }

/** The validators of a response that is produced separately for each request and therefore has no validators. */
export const noValidators: Validators = { etag: null, modifiedMs: null }

/** Returns a request header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

/**
 * The result of the preconditions: `go` when the request is to be answered, `not-modified` for the status 304, and
 * `failed` when a precondition is not met (412).
 */
export type PreconditionResult = 'go' | 'not-modified' | 'failed'

/** Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 13.2.2. */
export function judgePreconditions(header: HeaderReader, validators: Validators): PreconditionResult {
  const ifMatch = header('if-match')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, validators.etag, 'strong')) return 'failed'
  } else if (isLaterThan(validators, header('if-unmodified-since')) === true) return 'failed'

  const ifNoneMatch = header('if-none-match')
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, validators.etag, 'weak') ? 'not-modified' : 'go'
  return isLaterThan(validators, header('if-modified-since')) === false ? 'not-modified' : 'go'
}

/**
 * True when the header `Range` applies. It does not apply when `If-Range` has the tag or the date of another version of
 * the file (RFC 9110 13.1.5: a strong tag, or the exact date).
 */
export function isRangeApplicable(header: HeaderReader, validators: Validators): boolean {
  const ifRange = header('if-range')?.trim()
  if (ifRange === undefined) return true
  const { etag, modifiedMs } = validators
  if (ifRange.startsWith('"')) return etag !== null && ifRange === `"${etag}"`
  if (ifRange.startsWith('W/')) return false
  return modifiedMs !== null && dateMs(ifRange) === wholeSecondMs(modifiedMs)
}

/**
 * True when a list of tags contains the tag, or is `*`. Weak tags only match in the weak comparison. A null tag only
 * matches `*`.
 */
export function matches(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true
  }
  return false
}

/**
 * True when the bytes changed after the date in the header. Null when one of the two dates is missing or the header is
 * malformed; the caller then ignores the header.
 */
function isLaterThan({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const atMs = date === undefined ? Number.NaN : dateMs(date)
  return modifiedMs === null || Number.isNaN(atMs) ? null : wholeSecondMs(modifiedMs) > atMs
}

/**
 * The three formats of an HTTP date (RFC 9110 5.6.7). The last format has no time zone and means UTC. They are checked
 * because `Date.parse` accepts far more texts, such as `0`.
 */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Parses an HTTP date to milliseconds since 1970. NaN for a text that is not an HTTP date. */
function dateMs(text: string): number {
  const date = text.trim()
  if (!dateForms.some((form) => form.test(date))) return Number.NaN
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
}

const wholeSecondMs = (ms: number): number => Math.floor(ms / 1000) * 1000
