/** A request's target in two undecoded parts; the path starts with a slash, has no base path before it and no empty segments. */
export type Target = { readonly path: string; readonly query: string }

/**
 * Splits the raw target of a request. Never through `URL`: that folds `%2e%2e` and `\`, and reads `//x` as a host (security
 * design 3.1). Of the absolute form, scheme and authority are dropped. Null for what names no path (`*`, an empty target).
 */
export function readTarget(rawUrl: string, basePath: string): Target | null {
  const url = rawUrl.startsWith('/') ? rawUrl : rawUrl.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?]*/, '')
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? '' : url.slice(at + 1)
  if (path === '' && url !== rawUrl) return { path: '/', query }
  return path.startsWith('/') ? { path: withoutBase(withoutEmpty(path), basePath), query } : null
}

/** Empty segments count nowhere, not before the base path either (contract 1.1); one at the end stays, which says that it is a folder. */
const withoutEmpty = (path: string): string => (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path)

/** The base path counts on a segment boundary only; without it the same routes are served (contract 1.3). */
function withoutBase(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}
