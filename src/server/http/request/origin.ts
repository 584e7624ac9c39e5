/** The values of the request headers that indicate which page sent a request. */
export type OriginHeaders = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
  /** The address at which a proxy received the request. Null unless the proxy is trusted. */
  readonly forwarded: { readonly host: string | undefined; readonly port: string | undefined } | null
}

export type OriginCheckResult =
  /** The request comes from a page of this server, or the user entered the URL. */
  | { readonly kind: 'own' }
  /**
   * The request passed a trusted proxy and comes from a page with the host name of this server and another port. Many
   * proxies drop the port from `Host`. Cookies are the same for all ports, so such a request must not use them.
   */
  | { readonly kind: 'own-host'; readonly evidence: OriginEvidence }
  /** The request has no header that indicates its origin, so it was not sent by a browser. */
  | { readonly kind: 'unmarked' }
  /** The request comes from a page of another server. */
  | { readonly kind: 'foreign'; readonly evidence: OriginEvidence }

/** The headers that show a foreign origin, for the log. */
export type OriginEvidence = {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

/**
 * Determines whether a request comes from a page of this server (contract 2.2). If the request has the header
 * `Sec-Fetch-Site`, only this header is checked, and a page of the same site passes if its origin is trusted. Otherwise
 * the header `Origin` must match the header `Host`, the address that a trusted proxy forwards, or a trusted origin. The
 * origin `null` never matches.
 */
export function checkOrigin(headers: OriginHeaders, trustedOrigins: readonly string[]): OriginCheckResult {
  const { site, origin, host } = headers
  const evidence = { site, origin, host }
  const isTrusted = origin !== undefined && trustedOrigins.includes(origin)
  if (site !== undefined) {
    const isOwn = site === 'same-origin' || site === 'none' || (site === 'same-site' && isTrusted)
    return isOwn ? { kind: 'own' } : { kind: 'foreign', evidence }
  }
  if (origin === undefined) return { kind: 'unmarked' }
  const page = isTrusted ? null : pageAddress(origin)
  if (isTrusted || (page !== null && addressesOf(headers).some((address) => isAddressOf(page, address))))
    return { kind: 'own' }
  const isOwnHost = page !== null && headers.forwarded !== null && hasHostOf(page, headers)
  return { kind: isOwnHost ? 'own-host' : 'foreign', evidence }
}

/**
 * True when the request opens a new page, for example because the user followed a link. The page with the link cannot
 * read the response.
 */
export const isNavigation = (mode: string | undefined, destination: string | undefined): boolean =>
  mode === 'navigate' && (destination === undefined || destination === 'document')

/** Returns the URL of an origin. Null for `null`, for other schemes than HTTP, and for text that no browser sends. */
function pageAddress(origin: string): URL | null {
  const url = URL.parse(origin)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.origin === origin.toLowerCase() ? url : null
}

/** Returns the addresses, each a host with an optional port, at which the request may have reached this server. */
function addressesOf(headers: OriginHeaders): readonly string[] {
  const hosts = hostsOf(headers)
  const ports = outerValues(headers.forwarded?.port).filter((port) => /^\d{1,5}$/.test(port))
  return [...hosts, ...hosts.flatMap((host) => ports.map((port) => `${host.replace(/:\d+$/, '')}:${port}`))]
}

const hostsOf = ({ host, forwarded }: OriginHeaders): readonly string[] => [
  ...(host === undefined ? [] : [host]),
  ...outerValues(forwarded?.host),
]

/**
 * Returns the first and the last value of a header to which each proxy of a chain may append. The first comes from the
 * proxy that the browser reached, the last from the proxy that reached this server.
 */
function outerValues(list: string | undefined): readonly string[] {
  if (list === undefined) return []
  const first = list.split(',', 1).join().trim()
  return [...new Set([first, list.slice(list.lastIndexOf(',') + 1).trim()])]
}

function isAddressOf(page: URL, address: string): boolean {
  return URL.parse(`${page.protocol}//${address}`)?.origin === page.origin
}

const hasHostOf = (page: URL, headers: OriginHeaders): boolean =>
  hostsOf(headers).some((host) => URL.parse(`${page.protocol}//${host}`)?.hostname === page.hostname)
