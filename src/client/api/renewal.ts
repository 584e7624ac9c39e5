import { routes } from '../../shared/contract/routes.ts'
import { acceptToken, expireSession, tokenOf } from '../state/session.ts'
import { href } from './href.ts'

/**
 * The time limit of a renewal. After this time the client treats the server as unreachable, so that no caller waits
 * forever.
 */
const maxRenewalMs = 10_000

let running: Promise<boolean> | undefined

/**
 * Requests a new token for the current session. Concurrent calls share one request. When the server no longer accepts
 * the session, the client ends the session too. Never rejects: when the server cannot be reached, the client keeps the
 * old token, and the next response to a call starts another renewal. Returns whether the server has responded.
 */
export function renewSession(): Promise<boolean> {
  running ??= renew().finally(() => {
    running = undefined
  })
  return running
}

/**
 * Requests a new token after the rights of the user have changed. A renewal that is under way may have been answered before
 * the change, so it is followed by another one.
 */
export async function renewSessionAfterChange(): Promise<void> {
  await running
  await renewSession()
}

/** Renews the token with `fetch` instead of `call`, because responses to `call` start renewals. */
async function renew(): Promise<boolean> {
  const token = tokenOf()
  if (token === null) return false
  try {
    const response = await fetch(href('sessions.renew'), {
      method: routes['sessions.renew'].method,
      headers: { 'X-Auth': token },
      signal: AbortSignal.timeout(maxRenewalMs),
    })
    const fresh = response.ok ? (await response.text()).trim() : ''
    // Another user may have logged in while the request was in flight.
    if (response.ok && tokenOf() === token) acceptToken(fresh)
    else if (response.status === 401) expireSession(token)
    return true
  } catch {
    // The server cannot be reached, so the old token stays in use.
    return false
  }
}
