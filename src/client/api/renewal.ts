import { routes } from '../../shared/contract/routes.ts'
import { acceptToken, endSession, tokenOf } from '../state/session.ts'
import { href } from './href.ts'

let running: Promise<void> | undefined

/** Asks for a fresh token of the same session; answers that ask for it meanwhile share the one request. */
export function renewSoon(): void {
  running ??= renew().finally(() => {
    running = undefined
  })
}

/** Stays apart from `call`, whose answers start it. A renewal that fails for want of a network is tried at the next answer. */
async function renew(): Promise<void> {
  const token = tokenOf()
  if (token === null) return
  try {
    const answer = await fetch(href('sessions.renew'), {
      method: routes['sessions.renew'].method,
      headers: { 'X-Auth': token },
    })
    if (answer.ok && tokenOf() !== null) acceptToken((await answer.text()).trim())
    else if (answer.status === 401) endSession('ended', token)
  } catch {
    // no network: the token is still good, and the next answer asks again
  }
}
