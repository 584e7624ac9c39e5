import { acceptToken, becomeGuest, leaveSession, savedToken, startLeaving } from '../state/session.ts'
import { call, CallError } from './call.ts'
import { config } from './config.ts'

export type Credentials = {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string
}

/**
 * Finds out who is signed in when the page opens: renews the saved token, or tries an empty login where the server has
 * no login page.
 * @throws CallError with status 0 when the server cannot be reached.
 */
export async function startSession(): Promise<void> {
  const saved = savedToken()
  if (saved !== null && (await resume(saved))) return
  if (!config().LoginPage && (await loginWithoutPassword())) return
  becomeGuest('none')
}

/**
 * Logs in and keeps the token.
 * @throws CallError with status 403 for wrong credentials, 429 for too many tries, 0 without a network.
 */
export async function login({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  const answer = await call('sessions.login', { body: { username, password, recaptcha }, isProbe: true })
  if (!acceptToken((await answer.text()).trim())) throw new CallError(500)
}

/** The server's answer to a logout is waited for this long: the session ends in this browser in any case. */
const longestLogoutMs = 5000

/** Ends the session on the server and then in this browser. Without a network the session ends in this browser only. */
export async function logout(): Promise<void> {
  startLeaving()
  const signal = AbortSignal.timeout(longestLogoutMs)
  await call('sessions.logout', { isProbe: true, signal }).catch(() => undefined)
  leaveSession()
}

async function resume(token: string): Promise<boolean> {
  try {
    const answer = await call('sessions.renew', { headers: { 'X-Auth': token }, isProbe: true })
    return acceptToken((await answer.text()).trim())
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.status > 0 && thrown.status < 500) return false
    throw thrown
  }
}

/**
 * Logs in where the server has no login page: a proxy names the user, or there is only one. Returns false when the
 * server refuses.
 * @throws CallError with status 0 when the server cannot be reached.
 */
export async function loginWithoutPassword(): Promise<boolean> {
  try {
    await login({ username: '', password: '' })
    return true
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.status > 0) return false
    throw thrown
  }
}
