import type { UserAdmission, CallerFactory } from '../access/caller-factory.ts'
import { usernameFromProxy, userHeaderValues } from '../auth/methods/login-by-proxy.ts'
import { recogniseSession, recogniseVouched, type RecognisedSession } from '../auth/recognise-session.ts'
import type { SessionDependencies } from '../auth/sessions.ts'
import type { ChangeCause } from '../changes/change.ts'
import type { RequestCredentials, Authenticator, AuthenticatedCaller } from '../http/authenticator.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import { createVersionedCache } from '../records/file/versioned-cache.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SettingsStore } from '../records/settings.ts'

/** The dependencies of the authenticator. */
type AuthenticatorDependencies = {
  readonly login: SessionDependencies
  readonly callerFactory: CallerFactory
  readonly records: { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> } & Pick<
    ServerRecords,
    'version'
  >
}

/** The session that belongs to a request's credentials, and the access rights of its user. */
type AdmittedSession = {
  readonly session: RecognisedSession
  readonly admission: UserAdmission
  /** The header in which trusted proxies name the user. Empty with all login methods other than `proxy`. */
  readonly userHeader: string
}

/**
 * Creates the authenticator, which finds the session that belongs to a request's credentials and the current access
 * rights of its user. Most requests of a client contain the same token. The result for a token is therefore cached
 * until any process commits to the database, the session expires, or the user's access rights expire.
 *
 * With the login method `proxy`, a session is not recognised while a trusted proxy names another user. Otherwise the next
 * person in the same browser would act as the person before.
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
    return nowMs < cached.session.untilMs && cached.admission.isValid(nowMs) ? cached : null
  }

  async function admitSession(credentials: RequestCredentials): Promise<AdmittedSession | null> {
    const store = sessionCache?.beginRead()
    const session =
      (await recogniseSession(login, credentials)) ??
      (await recogniseByProxy(login, records.settings, credentials))
    if (session === null) return null
    const userHeader = await userHeaderOf(records.settings)
    const admitted = { session, admission: await callerFactory.admit(session), userHeader }
    if (credentials.header !== undefined && session.untilMs > 0) store?.(credentials.header, admitted)
    return admitted
  }

  return {
    recognise(credentials, cause) {
      const cached = credentials.header === undefined ? null : cachedSession(credentials.header)
      if (cached !== null) return authenticatedCallerOf(cached, credentials, cause)
      return admitSession(credentials).then((admitted) =>
        admitted === null ? null : authenticatedCallerOf(admitted, credentials, cause),
      )
    },
    watchSessions: login.ends.watch,
    onSessionEnd: login.ends.onEnd,
  }
}

function authenticatedCallerOf(
  { session, admission, userHeader }: AdmittedSession,
  { proxyHeaderValues }: RequestCredentials,
  cause: ChangeCause,
): AuthenticatedCaller | null {
  const username = usernameFromProxy(userHeaderValues(proxyHeaderValues, userHeader))
  if (username !== '' && username !== session.user.username) return null
  return { caller: admission.callerFor(cause), shouldRenew: session.shouldRenew }
}

async function userHeaderOf(settings: AuthenticatorDependencies['records']['settings']): Promise<string> {
  const { authMethod } = await settings.get()
  return authMethod === 'proxy' ? (await settings.signIn()).header : ''
}

/**
 * Accepts an expired token when a trusted proxy sends the name of the token's user and a separate logout page is
 * configured (contract 2.7). With this configuration, the proxy determines how long a user is signed in, and a user
 * whose token expired could not log in again.
 */
async function recogniseByProxy(
  login: SessionDependencies,
  settings: AuthenticatorDependencies['records']['settings'],
  { header, proxyHeaderValues }: RequestCredentials,
): Promise<RecognisedSession | null> {
  if (header === undefined) return null
  const { logoutPage } = await settings.get()
  if (logoutPage === defaultSettings.logoutPage) return null
  const username = usernameFromProxy(userHeaderValues(proxyHeaderValues, await userHeaderOf(settings)))
  return username === null || username === '' ? null : recogniseVouched(login, { header }, username)
}
