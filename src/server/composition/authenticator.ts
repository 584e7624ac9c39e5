import type { Admission, CallerFactory } from '../access/caller-factory.ts'
import { usernameFromProxy } from '../auth/methods/login-by-proxy.ts'
import { recogniseSession, recogniseVouched, type RecognisedSession } from '../auth/recognise-session.ts'
import type { SessionDependencies } from '../auth/sessions.ts'
import type { ChangeCause } from '../changes/change.ts'
import type { RequestCredentials, Authenticator, AuthenticatedCaller } from '../http/authenticator.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import { createVersionedCache } from '../records/file/versioned-cache.ts'
import type { Records, SettingsStore } from '../records/port.ts'

/** The dependencies of the authenticator. */
type AuthenticatorDependencies = {
  readonly login: SessionDependencies
  readonly callerFactory: CallerFactory
  readonly records: { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> } & Pick<Records, 'version'>
}

/** The session that belongs to a request's credentials, and the access rights of its user. */
type AdmittedSession = { readonly found: RecognisedSession; readonly admission: Admission }

/**
 * Creates the authenticator, which finds the session that belongs to a request's credentials and the current access
 * rights of its user. Most requests of a client carry the same token, so the result for a token is cached while no
 * process has committed to the database and neither the session nor the user's access has expired.
 */
export function createAuthenticator({
  login,
  callerFactory,
  records,
}: AuthenticatorDependencies): Authenticator {
  const sessionCache =
    records.version === null ? null : createVersionedCache<string, AdmittedSession>(records.version)

  function cachedSession(token: string): AdmittedSession | null {
    const cached = sessionCache?.get(token)
    if (cached === undefined) return null
    const nowMs = login.nowMs()
    return nowMs < cached.found.untilMs && cached.admission.isValid(nowMs) ? cached : null
  }

  async function admitSession(credentials: RequestCredentials): Promise<AdmittedSession | null> {
    const store = sessionCache?.beginRead()
    const found =
      (await recogniseSession(login, credentials)) ??
      (await recogniseByProxy(login, records.settings, credentials))
    if (found === null) return null
    const admitted = { found, admission: await callerFactory.admit(found) }
    if (credentials.header !== undefined && found.untilMs > 0) store?.(credentials.header, admitted)
    return admitted
  }

  return {
    recognise(credentials, cause) {
      const cached = credentials.header === undefined ? null : cachedSession(credentials.header)
      if (cached !== null) return authenticatedCallerOf(cached, cause)
      return admitSession(credentials).then((admitted) =>
        admitted === null ? null : authenticatedCallerOf(admitted, cause),
      )
    },
    watchSessions: login.ends.watch,
    onSessionEnd: login.ends.onEnd,
  }
}

const authenticatedCallerOf = (
  { found, admission }: AdmittedSession,
  cause: ChangeCause,
): AuthenticatedCaller => ({
  caller: admission.callerFor(cause),
  shouldRenew: found.shouldRenew,
})

/**
 * Recognises an expired token when a trusted proxy names its user and logging out leads to another page (contract 2.7).
 * In that setup the proxy decides how long a user is signed in, and a user whose token expired would have no way to log
 * in again.
 */
async function recogniseByProxy(
  login: SessionDependencies,
  settings: AuthenticatorDependencies['records']['settings'],
  { header, ofProxy }: RequestCredentials,
): Promise<RecognisedSession | null> {
  if (header === undefined) return null
  const { authMethod, logoutPage } = await settings.get()
  if (authMethod !== 'proxy' || logoutPage === defaultSettings.logoutPage) return null
  const { header: name } = await settings.signIn()
  const username = usernameFromProxy({ isProxy: true, header: ofProxy }, name)
  return username === '' ? null : recogniseVouched(login, { header }, username)
}
