import { createStore } from '../state/store.ts'
import { acceptToken, becomeGuest, leaveSession, savedToken, startLeaving } from '../state/session.ts'
import { noteRefusal } from './address-refusal.ts'
import { call, CallError } from './call.ts'
import { config } from './config.ts'

export type Credentials = {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string
}

/**
 * Determines the signed-in user when the page opens: renews the saved token, or tries an empty login when the server
 * has no login page.
 * @throws CallError with status 0 when the server cannot be reached.
 */
export async function startSession(): Promise<void> {
  const saved = savedToken()
  if (saved !== null && (await resume(saved))) return
  if (!config().LoginPage && (await loginWithoutPassword())) return
  becomeGuest('none')
}

/**
 * Logs in and stores the token.
 * @throws CallError with status 403 for wrong credentials, 429 for too many attempts, 0 when the server cannot be
 * reached.
 */
export async function login({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  const body = { username, password, recaptcha }
  const response = await noteRefusal(call('sessions.login', { body, isProbe: true }))
  if (!acceptToken((await response.text()).trim())) throw new CallError(500)
}

/**
 * The longest time for which a logout waits for the response of the server. After this time the session ends in this
 * browser without a response.
 */
const maxLogoutMs = 5000

/**
 * Ends the session on the server and then in this browser. When the server cannot be reached, the session ends in this
 * browser only.
 */
export async function logout(): Promise<void> {
  startLeaving()
  const signal = AbortSignal.timeout(maxLogoutMs)
  await call('sessions.logout', { isProbe: true, signal }).catch(() => undefined)
  leaveSession()
}

async function resume(token: string): Promise<boolean> {
  try {
    const headers = { 'X-Auth': token }
    const response = await noteRefusal(call('sessions.renew', { headers, isProbe: true }))
    return acceptToken((await response.text()).trim())
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.status > 0 && thrown.status < 500) return false
    throw thrown
  }
}

/** The status of the latest login without a password if the server refused it, or null. */
export const automaticRefusal = createStore<number | null>(null)

/**
 * Logs in on a server without a login page, where a proxy identifies the user or only one user exists. Returns false
 * when the server refuses the login.
 * @throws CallError with status 0 when the server cannot be reached.
 */
export async function loginWithoutPassword(): Promise<boolean> {
  try {
    await login({ username: '', password: '' })
    automaticRefusal.set(null)
    return true
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.status === 0) throw thrown
    automaticRefusal.set(thrown.status)
    return false
  }
}
