/** What tells one state of some bytes from another. `etag` is strong and without quotation marks; null is what they do not have. */
export type Validators = { readonly etag: string | null; readonly modifiedMs: number | null }

/** Of what is made anew for each answer. */
export const noValidators: Validators = { etag: null, modifiedMs: null }

export type Header = (name: string) => string | undefined

/** Go on, tell that nothing has changed (304), or that the condition does not hold (412). */
export type Verdict = 'go' | 'not-modified' | 'failed'

/** The preconditions of a GET or HEAD in the order of RFC 9110 13.2.2. */
export function judgePreconditions(header: Header, validators: Validators): Verdict {
  const ifMatch = header('if-match')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, validators.etag, 'strong')) return 'failed'
  } else if (isLaterThan(validators, header('if-unmodified-since')) === true) return 'failed'

  const ifNoneMatch = header('if-none-match')
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, validators.etag, 'weak') ? 'not-modified' : 'go'
  return isLaterThan(validators, header('if-modified-since')) === false ? 'not-modified' : 'go'
}

/** Whether `Range` counts: not when `If-Range` names another state of the file (RFC 9110 13.1.5: strong tag, or the exact date). */
export function rangeCounts(header: Header, validators: Validators): boolean {
  const ifRange = header('if-range')?.trim()
  if (ifRange === undefined) return true
  const { etag, modifiedMs } = validators
  if (ifRange.startsWith('"')) return etag !== null && ifRange === `"${etag}"`
  if (ifRange.startsWith('W/')) return false
  return modifiedMs !== null && dateMs(ifRange) === wholeSecondMs(modifiedMs)
}

/** `*`, or a list of tags, of which weak ones count in the weak comparison only. What has no tag is in no list. */
export function matches(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true
  }
  return false
}

/** Null where there is no date, one that cannot be read, or none to compare it with: such a header is ignored. */
function isLaterThan({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const atMs = date === undefined ? Number.NaN : dateMs(date)
  return modifiedMs === null || Number.isNaN(atMs) ? null : wholeSecondMs(modifiedMs) > atMs
}

/** The three forms of a date (RFC 9110 5.6.7), the last of which names no zone and means UTC. `Date.parse` reads far more: `0` is one, too. */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** NaN for what is no date. */
function dateMs(text: string): number {
  const date = text.trim()
  if (!dateForms.some((form) => form.test(date))) return Number.NaN
  return Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
}

const wholeSecondMs = (ms: number): number => Math.floor(ms / 1000) * 1000
