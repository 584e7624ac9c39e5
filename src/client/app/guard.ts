import { administrationPages } from '../state/screens/administration-pages.ts'
import { session } from '../state/session.ts'
import { isScreenOfUsers } from '../router/screens.ts'
import { safeRedirect, type Route } from '../router/location.ts'

/**
 * Returns the address to show instead of a route that the current user may not see, or null when the user may see the
 * route.
 */
export function guardOf(
  route: Route,
  page: { readonly origin: string; readonly base: string },
): string | null {
  const now = session.get()
  if (now.kind === 'starting') return null
  if (route.screen === 'login') {
    return now.kind === 'user'
      ? (safeRedirect(new URLSearchParams(route.query).get('redirect'), page) ?? '/files/')
      : null
  }
  if (isScreenOfUsers(route.screen) && now.kind === 'guest') {
    return now.reason === 'logged-out' ? '/login' : `/login?redirect=${readable(route.rawPath + route.query)}`
  }
  const [, , name = ''] = route.rawPath.split('/')
  const isForAdmins = route.screen === 'settings' && (administrationPages as readonly string[]).includes(name)
  return isForAdmins && now.kind === 'user' && !now.user.perm.admin ? '/403' : null
}

/**
 * Encodes an address for the query of the login page, which returns to the address after the login. Slashes stay
 * readable.
 */
const readable = (address: string): string => encodeURIComponent(address).replaceAll('%2F', '/')
