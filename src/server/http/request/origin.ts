/** The values of the request headers that indicate which page sent a request. */
export type OriginHeaders = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

export type OriginCheckResult =
  /** The request comes from a page of this server, or the user entered the URL. */
  | { readonly kind: 'own' }
  /** The request has no header that indicates its origin, so it was not sent by a browser. */
  | { readonly kind: 'unmarked' }
  /** The request comes from a page of another server. `evidence` is the header that shows this, for the log. */
  | { readonly kind: 'foreign'; readonly evidence: string }

/**
 * Determines whether a request comes from a page of this server (contract 2.2). If the request has the header
 * `Sec-Fetch-Site`, only this header is checked. Otherwise the header `Origin` must match the header `Host` or contain
 * a trusted origin. The origin `null` never matches.
 */
export function checkOrigin(headers: OriginHeaders, trustedOrigins: readonly string[]): OriginCheckResult {
  if (headers.site !== undefined) {
    const isOwn = headers.site === 'same-origin' || headers.site === 'none'
    return isOwn ? { kind: 'own' } : { kind: 'foreign', evidence: `Sec-Fetch-Site: ${headers.site}` }
  }
  if (headers.origin === undefined) return { kind: 'unmarked' }
  const isOwn = isOriginOfHost(headers.origin, headers.host) || trustedOrigins.includes(headers.origin)
  return isOwn ? { kind: 'own' } : { kind: 'foreign', evidence: `Origin: ${headers.origin}` }
}

/**
 * True when the request opens a new page, for example because the user followed a link. The page with the link cannot
 * read the response.
 */
export const isNavigation = (mode: string | undefined, destination: string | undefined): boolean =>
  mode === 'navigate' && (destination === undefined || destination === 'document')

function isOriginOfHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  const expected = `${url.protocol}//${host}`
  return (
    url.origin === origin.toLowerCase() && URL.canParse(expected) && new URL(expected).origin === url.origin
  )
}
