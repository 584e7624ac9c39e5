import { acceptToken, endSession, savedToken } from '../state/session.ts'
import { call, CallError } from './call.ts'
import { config } from './config.ts'

export type Credentials = {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string
}

/**
 * Who is here when the page opens: the saved token is renewed; where the instance has no login page, an empty login is tried.
 * @throws CallError with status 0 when the server cannot be reached.
 */
export async function startSession(): Promise<void> {
  const saved = savedToken()
  if (saved !== null && (await resume(saved))) return
  if (!config().LoginPage && (await enter({ username: '', password: '' }))) return
  endSession('none')
}

/** @throws CallError: 403 for wrong credentials, 429 for too many tries, 0 without a network. */
export async function login({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  const answer = await call('sessions.login', { body: { username, password, recaptcha }, isProbe: true })
  if (!acceptToken((await answer.text()).trim())) throw new CallError(500)
}

/** Ends the session on the server, then here. Without a network it ends here at least. */
export async function logout(): Promise<void> {
  await call('sessions.logout', { isProbe: true }).catch(() => undefined)
  endSession('logged-out')
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

async function enter(credentials: Credentials): Promise<boolean> {
  try {
    await login(credentials)
    return true
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.status > 0) return false
    throw thrown
  }
}
