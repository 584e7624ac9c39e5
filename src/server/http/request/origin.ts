/** The marks that a browser puts on a request to say where it comes from. */
export type OriginMarks = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

export type OriginVerdict =
  /** Our own page, or the person's own typing. */
  | { readonly kind: 'own' }
  /** No browser's mark at all. */
  | { readonly kind: 'unmarked' }
  /** Somebody else's page; `mark` says which header disagreed, for the log. */
  | { readonly kind: 'foreign'; readonly mark: string }

/**
 * Where a request comes from (contract 2.2): by `Sec-Fetch-Site` where it is sent, else by `Origin`, which must name our `Host` or
 * be trusted; `null` never is.
 */
export function judgeOrigin(marks: OriginMarks, trustedOrigins: readonly string[]): OriginVerdict {
  if (marks.site !== undefined) {
    const isOwn = marks.site === 'same-origin' || marks.site === 'none'
    return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Sec-Fetch-Site: ${marks.site}` }
  }
  if (marks.origin === undefined) return { kind: 'unmarked' }
  const isOwn = namesHost(marks.origin, marks.host) || trustedOrigins.includes(marks.origin)
  return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Origin: ${marks.origin}` }
}

/** Whether a person followed a link: that shows nothing to the page they came from. */
export const isNavigation = (mode: string | undefined, destination: string | undefined): boolean =>
  mode === 'navigate' && (destination === undefined || destination === 'document')

function namesHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  const ours = `${url.protocol}//${host}`
  return url.origin === origin.toLowerCase() && URL.canParse(ours) && new URL(ours).origin === url.origin
}
