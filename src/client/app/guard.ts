import { session } from '../state/session.ts'
import { safeRedirect, type Place } from '../router/location.ts'

/** Where to go instead of a place; null where it may be shown. */
export function guardOf(
  place: Place,
  page: { readonly origin: string; readonly base: string },
): string | null {
  const now = session.get()
  if (now.kind === 'starting') return null
  if (place.screen === 'login') {
    return now.kind === 'user'
      ? (safeRedirect(new URLSearchParams(place.query).get('redirect'), page) ?? '/files/')
      : null
  }
  const needsLogin = place.screen === 'files' || place.screen === 'settings'
  if (needsLogin && now.kind === 'guest') {
    return now.reason === 'logged-out' ? '/login' : `/login?redirect=${readable(place.rawPath + place.query)}`
  }
  const isForAdmins = /^\/settings\/(global|users)(\/|$)/.test(place.rawPath)
  return isForAdmins && now.kind === 'user' && !now.user.perm.admin ? '/403' : null
}

/** Encoded once more, so that the address comes back as it was; slashes stay readable. */
const readable = (address: string): string => encodeURIComponent(address).replaceAll('%2F', '/')
