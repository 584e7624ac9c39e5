import type { Headers } from './leave.ts'

/** The headers of every answer (security design 3.7): one place, and nothing that names a version. */
export const everyAnswer: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** JSON and text of the API, failures too. */
export const apiAnswer: Readonly<Record<string, string>> = {
  ...everyAnswer,
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Pages; their policy and caching come with the page. */
export const pageAnswer: Readonly<Record<string, string>> = {
  ...everyAnswer,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

/** The answer's own headers stand before those of the content, and change none of them, but may be stricter about keeping copies. */
export function withOthers(content: Headers, others: Headers): Headers {
  if (Object.keys(others).length === 0) return content
  const { 'cache-control': keeping = content['cache-control'] ?? '' } = others
  return { ...others, ...content, 'cache-control': keeping }
}

export const textType = 'text/plain; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
