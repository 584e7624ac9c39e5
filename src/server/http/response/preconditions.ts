/**
 * The validators of a response, which identify the version of its content. `etag` is a strong entity tag without
 * quotation marks. A validator that does not exist is null.
 */
export type ContentValidators = { readonly etag: string | null; readonly modifiedMs: number | null }

/** The value for a response that is generated for each request and therefore has no validators. */
export const noValidators: ContentValidators = { etag: null, modifiedMs: null }

/** Returns a request header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

/**
 * The result of evaluating the preconditions: `go` when the content is to be sent, `not-modified` for the status 304,
 * and `failed` when a precondition is not met (status 412).
 */
export type PreconditionResult = 'go' | 'not-modified' | 'failed'

/** Evaluates the preconditions of a GET or HEAD request in the order of RFC 9110 13.2.2. */
export function evaluatePreconditions(
  header: HeaderReader,
  validators: ContentValidators,
): PreconditionResult {
  const ifMatch = header('if-match')
  if (ifMatch !== undefined) {
    if (!matchesEtag(ifMatch, validators.etag, 'strong')) return 'failed'
  } else if (isLaterThan(validators, header('if-unmodified-since')) === true) return 'failed'

  const ifNoneMatch = header('if-none-match')
  if (ifNoneMatch !== undefined)
    return matchesEtag(ifNoneMatch, validators.etag, 'weak') ? 'not-modified' : 'go'
  return isLaterThan(validators, header('if-modified-since')) === false ? 'not-modified' : 'go'
}

/**
 * True when the header `Range` applies. It does not apply when the header `If-Range` contains the tag or the date of
 * another version of the file. A tag must be strong, and a date must match exactly (RFC 9110 13.1.5).
 */
export function isRangeApplicable(header: HeaderReader, validators: ContentValidators): boolean {
  const ifRange = header('if-range')?.trim()
  if (ifRange === undefined) return true
  const { etag, modifiedMs } = validators
  if (ifRange.startsWith('"')) return etag !== null && ifRange === `"${etag}"`
  if (ifRange.startsWith('W/')) return false
  return modifiedMs !== null && dateMs(ifRange) === wholeSecondMs(modifiedMs)
}

/**
 * True when a list of entity tags contains the tag, or is `*`. Weak tags in the list only match in the weak comparison.
 * A null tag only matches `*`.
 */
export function matchesEtag(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true
  }
  return false
}

/**
 * True when the content was modified after the date in the header. Null when the modification time or the header is
 * missing, or when the header is malformed. The caller then ignores the header.
 */
function isLaterThan({ modifiedMs }: ContentValidators, date: string | undefined): boolean | null {
  const atMs = date === undefined ? Number.NaN : dateMs(date)
  return modifiedMs === null || Number.isNaN(atMs) ? null : wholeSecondMs(modifiedMs) > atMs
}

/**
 * The three formats of an HTTP date (RFC 9110 5.6.7). The last format has no time zone and means UTC. The formats are
 * checked because `Date.parse` also accepts many other strings, such as `0`.
 */
const dateFormats = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Parses an HTTP date to milliseconds since 1970. Returns NaN for a string that is not an HTTP date. */
function dateMs(text: string): number {
  const date = text.trim()
  if (!dateFormats.some((form) => form.test(date))) return Number.NaN
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
}

const wholeSecondMs = (ms: number): number => Math.floor(ms / 1000) * 1000
