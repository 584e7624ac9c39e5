/**
 * The path and the query of a request, without percent-decoding. The path starts with a slash, does not include the
 * base path, and has no empty segments.
 */
export type RequestTarget = { readonly path: string; readonly query: string }

/**
 * Splits the raw target of a request into path and query. `URL` is not used here, because it resolves `%2e%2e` and `\`,
 * and reads `//x` as a host (security 3.1). The scheme and authority of an absolute target are dropped. Returns
 * null for a target without a path (`*` or an empty target).
 */
export function readTarget(rawUrl: string, basePath: string): RequestTarget | null {
  const url = rawUrl.startsWith('/') ? rawUrl : rawUrl.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?]*/, '')
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  const query = queryStart < 0 ? '' : url.slice(queryStart + 1)
  if (path === '' && url !== rawUrl) return { path: '/', query }
  return path.startsWith('/') ? { path: withoutBasePath(withoutEmptySegments(path), basePath), query } : null
}

/**
 * Removes empty segments, including those before the base path (contract 1.1). A slash at the end is kept, because it
 * indicates a folder.
 */
const withoutEmptySegments = (path: string): string =>
  path.includes('//') ? path.replace(/\/{2,}/g, '/') : path

/**
 * Removes the base path, which matches whole segments only. Requests without the base path reach the same routes
 * (contract 1.3).
 */
function withoutBasePath(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}
