import { routes } from '../../shared/contract/routes.ts'
import { acceptToken, expireSession, tokenOf } from '../state/session.ts'
import { href } from './href.ts'

/** After this time a renewal counts as failed for want of a network, so that nothing waits for it forever. */
const longestRenewalMs = 10_000

let running: Promise<void> | undefined

/**
 * Asks the server for a fresh token of the same session; requests at the same time share one. Where the server no
 * longer knows the session, the session has ended here too. Resolves in any case: without a network the old token
 * stays, and the next answer of a call asks again.
 */
export function renewSession(): Promise<void> {
  running ??= renew().finally(() => {
    running = undefined
  })
  return running
}

/** Makes its own request instead of a `call`, because the answers of calls start renewals. */
async function renew(): Promise<void> {
  const token = tokenOf()
  if (token === null) return
  try {
    const answer = await fetch(href('sessions.renew'), {
      method: routes['sessions.renew'].method,
      headers: { 'X-Auth': token },
      signal: AbortSignal.timeout(longestRenewalMs),
    })
    const fresh = answer.ok ? (await answer.text()).trim() : ''
    // Somebody else may have logged in while the answer was on its way.
    if (answer.ok && tokenOf() === token) acceptToken(fresh)
    else if (answer.status === 401) expireSession(token)
  } catch {
    // The server cannot be reached: the token is still good.
  }
}
