/** The request headers by which a browser tells where a request comes from. */
export type OriginHeaders = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

export type OriginVerdict =
  /** The request comes from our own page, or the user entered the address. */
  | { readonly kind: 'own' }
  /** The request has no header that tells its origin, so no browser sent it. */
  | { readonly kind: 'unmarked' }
  /** The request comes from a foreign page; `mark` names the header that says so, for the log. */
  | { readonly kind: 'foreign'; readonly mark: string }

/**
 * Judges where a request comes from (contract 2.2): by `Sec-Fetch-Site` where it is sent, otherwise by `Origin`, which
 * must name our `Host` or be trusted. The origin `null` is always foreign.
 */
export function judgeOrigin(headers: OriginHeaders, trustedOrigins: readonly string[]): OriginVerdict {
  if (headers.site !== undefined) {
    const isOwn = headers.site === 'same-origin' || headers.site === 'none'
    return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Sec-Fetch-Site: ${headers.site}` }
  }
  if (headers.origin === undefined) return { kind: 'unmarked' }
  const isOwn = namesHost(headers.origin, headers.host) || trustedOrigins.includes(headers.origin)
  return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Origin: ${headers.origin}` }
}

/** True when the user followed a link, which reveals nothing to the page that had the link. */
export const isNavigation = (mode: string | undefined, destination: string | undefined): boolean =>
  mode === 'navigate' && (destination === undefined || destination === 'document')

function namesHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  const ours = `${url.protocol}//${host}`
  return url.origin === origin.toLowerCase() && URL.canParse(ours) && new URL(ours).origin === url.origin
}
