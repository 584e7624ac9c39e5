/** The values of the request headers from which the origin of a request is determined. */
export type OriginHeaders = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

export type OriginCheckResult =
  /** The request comes from a page of this server, or the user entered the address. */
  | { readonly kind: 'own' }
  /** The request has no header with its origin, so it was not sent by a browser. */
  | { readonly kind: 'unmarked' }
  /** The request comes from a page of another server. `mark` is the text of the header that shows this, for the log. */
  | { readonly kind: 'foreign'; readonly mark: string }

/**
 * Determines whether a request comes from a page of this server (contract 2.2). If the request has `Sec-Fetch-Site`,
 * that header decides. Otherwise the origin in `Origin` must be that of `Host`, or one of the trusted origins. The
 * origin `null` is always foreign.
 */
export function judgeOrigin(headers: OriginHeaders, trustedOrigins: readonly string[]): OriginCheckResult {
  if (headers.site !== undefined) {
    const isOwn = headers.site === 'same-origin' || headers.site === 'none'
    return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Sec-Fetch-Site: ${headers.site}` }
  }
  if (headers.origin === undefined) return { kind: 'unmarked' }
  const isOwn = namesHost(headers.origin, headers.host) || trustedOrigins.includes(headers.origin)
  return isOwn ? { kind: 'own' } : { kind: 'foreign', mark: `Origin: ${headers.origin}` }
}

/**
 * True when the request opens a new page, for example because the user followed a link. The page with the link cannot
 * read the response.
 */
export const isNavigation = (mode: string | undefined, destination: string | undefined): boolean =>
  mode === 'navigate' && (destination === undefined || destination === 'document')

function namesHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  const ours = `${url.protocol}//${host}`
  return url.origin === origin.toLowerCase() && URL.canParse(ours) && new URL(ours).origin === url.origin
}
