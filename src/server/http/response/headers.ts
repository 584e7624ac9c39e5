import type { ResponseHeaders } from './send-whole.ts'

/** The headers of every response (security 3.7). None of them reveals the version of the server. */
export const everyResponseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** The headers of the JSON and text responses of the API, including failures. */
export const apiHeaders: Readonly<Record<string, string>> = {
  ...everyResponseHeaders,
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * Returns the headers of every page. Each page also has headers for its security policy and caching. A browser ignores
 * `Cross-Origin-Opener-Policy` on a page whose address it does not trust, which is plain http at any address but its own machine, and
 * reports an error in its console. It sends `Sec-Fetch-Mode` only to addresses that it trusts. Browsers of before 2023 may not send it over TLS.
 */
export function pageHeaders({
  header,
  client,
}: {
  readonly header: (name: string) => string | undefined
  readonly client: { readonly isSecure: boolean }
}): Readonly<Record<string, string>> {
  const isTrustworthy = client.isSecure || header('sec-fetch-mode') !== undefined
  return {
    ...everyResponseHeaders,
    ...(isTrustworthy ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  }
}

/**
 * Adds the headers that an operation returned to the headers of its content. Of the content's headers, an operation can
 * only replace `Cache-Control`.
 */
export function withResponseHeaders(content: ResponseHeaders, others: ResponseHeaders): ResponseHeaders {
  if (Object.keys(others).length === 0) return content
  const { 'cache-control': cacheControl = content['cache-control'] ?? '' } = others
  return { ...others, ...content, 'cache-control': cacheControl }
}

export const textType = 'text/plain; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
