import { parsePath, root, type Path } from '../../shared/domain/path.ts'

export type Screen = 'files' | 'login' | 'settings' | 'share' | '403' | '404' | '500'

/** Where the user is. The encoded pathname is the truth; the rest is read from it. */
export type Place = {
  readonly screen: Screen
  /** What follows the screen's name, decoded once per segment; null when it is no path. */
  readonly path: Path | null
  /** The address ends with a slash. */
  readonly isFolder: boolean
  /** The encoded pathname below the base path. */
  readonly rawPath: string
  /** The query, with its question mark, or nothing. */
  readonly query: string
}

const screens: readonly string[] = ['files', 'login', 'settings', 'share', '403', '404', '500']

/** The place of an encoded pathname below the base path, or the address to go to instead of it. */
export function placeOf(rawPath: string, query: string): Place | { readonly redirect: string } {
  const [, screen = '', ...rest] = rawPath.split('/')
  if (!screens.includes(screen)) return { redirect: `/files/${rawPath.replace(/^\/+/, '')}${query}` }
  if (screen === 'files' && rest.length === 0) return { redirect: `/files/${query}` }
  const below = rest.join('/')
  const path = below === '' ? root : (parsePath(below)?.path ?? null)
  return {
    screen: screen as Screen,
    path,
    isFolder: rawPath.endsWith('/'),
    rawPath,
    query,
  }
}

/** The pathname below a base path (`''` for the root); null when it lies outside. */
export function belowBase(pathname: string, base: string): string | null {
  if (base === '') return pathname
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null
}

/**
 * Where a login may lead: an address of our own, below the base path, as pathname and query. Anything else (another host,
 * another scheme, the login itself) is null.
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
