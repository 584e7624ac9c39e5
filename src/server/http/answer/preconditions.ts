/** What validators say about a stored file. `etag` is strong and without quotation marks. */
export type Validators = { readonly etag: string; readonly modifiedMs: number }

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
  if (ifRange.startsWith('"')) return ifRange === `"${validators.etag}"`
  if (ifRange.startsWith('W/')) return false
  return Date.parse(ifRange) === wholeSecondMs(validators.modifiedMs)
}

/** `*`, or a list of tags, of which weak ones count in the weak comparison only. */
export function matches(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true
  }
  return false
}

/** Null where there is no date or one that cannot be read: such a header is ignored. */
function isLaterThan({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const atMs = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(atMs) ? null : wholeSecondMs(modifiedMs) > atMs
}

const wholeSecondMs = (ms: number): number => Math.floor(ms / 1000) * 1000
