import { parsePath, root, type Path } from '../../shared/domain/path.ts'
import { isScreenName, type ScreenName } from './screens.ts'

/** A parsed address of the client. All fields are derived from the encoded pathname and the query. */
export type Route = {
  readonly screen: ScreenName
  /**
   * The path after the screen's name, with each segment decoded once, or null when that part of the address is not a
   * valid path.
   */
  readonly path: Path | null
  /** True when the address ends with a slash. */
  readonly isFolder: boolean
  /** The encoded pathname below the base path. */
  readonly rawPath: string
  /** The query with its question mark, or an empty string. */
  readonly query: string
}

/**
 * Parses an encoded pathname below the base path. Returns the address to redirect to when the pathname names no screen.
 */
export function routeOf(rawPath: string, query: string): Route | { readonly redirect: string } {
  const [, screen = '', ...rest] = rawPath.split('/')
  if (!isScreenName(screen)) return { redirect: `/files/${rawPath.replace(/^\/+/, '')}${query}` }
  if (screen === 'files' && rest.length === 0) return { redirect: `/files/${query}` }
  const below = rest.join('/')
  if (screen === 'settings' && below === '') return { redirect: '/settings/profile' }
  const path = below === '' ? root : (parsePath(below)?.path ?? null)
  return {
    screen,
    path,
    isFolder: rawPath.endsWith('/'),
    rawPath,
    query,
  }
}

/**
 * Returns the part of a pathname below a base path (`''` for the root), or null when the pathname is not below the base
 * path.
 */
export function belowBase(pathname: string, base: string): string | null {
  if (base === '') return pathname
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null
}

/**
 * Validates the address to which a login redirects. Returns its pathname and query when the address is on this host and
 * below the base path. Returns null otherwise: for another host, another scheme, or the login page itself.
 */
export function safeRedirect(
  wanted: string | null,
  page: { readonly origin: string; readonly base: string },
): string | null {
  if (wanted === null || !wanted.startsWith('/')) return null
  const url = URL.parse(`${page.base}${wanted}`, page.origin)
  if (url === null || url.origin !== page.origin || /^\/[/\\]/.test(wanted)) return null
  const below = belowBase(url.pathname, page.base)
  return below === null || below === '/login' ? null : `${below}${url.search}`
}
