import type { ResponseHeaders } from './send-whole.ts'

/** The headers of every response (security design 3.7). None of them reveals a version of the server. */
export const everyResponse: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** The headers of JSON and text answers of the API, including failures. */
export const apiResponse: Readonly<Record<string, string>> = {
  ...everyResponse,
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The headers of pages. The headers for policy and caching are part of the page itself. */
export const pageResponse: Readonly<Record<string, string>> = {
  ...everyResponse,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Adds an operation's own headers to those of its content. They cannot replace the headers of the content, except
 * `Cache-Control`.
 */
export function withResponseHeaders(content: ResponseHeaders, others: ResponseHeaders): ResponseHeaders {
  if (Object.keys(others).length === 0) return content
  const { 'cache-control': keeping = content['cache-control'] ?? '' } = others
  return { ...others, ...content, 'cache-control': keeping }
}

export const textType = 'text/plain; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
