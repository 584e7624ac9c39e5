import type { Admission, Door } from '../access/door.ts'
import { vouchedName } from '../auth/methods/proxy.ts'
import * as sessions from '../auth/sessions.ts'
import type { Cause } from '../changes/change.ts'
import type { Credentials, Doors, Recognised } from '../http/doors.ts'
import { defaultSettings } from '../records/default-settings.ts'
import { createKeep } from '../records/file/keep.ts'
import type { Records, SettingsStore } from '../records/port.ts'

type Needs = {
  readonly login: sessions.SessionNeeds
  readonly door: Door
  readonly records: { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> } & Pick<Records, 'version'>
}

/** Who was behind some credentials, and what they may reach. */
type Standing = { readonly found: sessions.RecognisedSession; readonly admission: Admission }

/**
 * Who asks: the session behind the credentials, and what its user may reach as the records say now. The answer to a token is given
 * again at once while nobody has committed anything and no time in it is over: that is what every call of a client asks.
 */
export function doorsOf({ login, door, records }: Needs): Doors {
  const standings = records.version === null ? null : createKeep<string, Standing>(records.version)

  function knownStanding(token: string): Standing | null {
    const known = standings?.known(token)
    if (known === undefined) return null
    const nowMs = login.nowMs()
    return nowMs < known.found.untilMs && known.admission.holds(nowMs) ? known : null
  }

  async function standingOf(credentials: Credentials): Promise<Standing | null> {
    const keep = standings?.searching()
    const found =
      (await sessions.recogniseSession(login, credentials)) ??
      (await recogniseByProxy(login, records.settings, credentials))
    if (found === null) return null
    const standing = { found, admission: await door.admit(found) }
    if (credentials.header !== undefined && found.untilMs > 0) keep?.(credentials.header, standing)
    return standing
  }

  return {
    recognise(credentials, cause) {
      const known = credentials.header === undefined ? null : knownStanding(credentials.header)
      if (known !== null) return recognised(known, cause)
      return standingOf(credentials).then((standing) =>
        standing === null ? null : recognised(standing, cause),
      )
    },
    watchSessions: login.ends.watch,
    onSessionEnd: login.ends.onEnd,
  }
}

const recognised = ({ found, admission }: Standing, cause: Cause): Recognised => ({
  caller: admission.callerFor(cause),
  shouldRenew: found.shouldRenew,
})

/**
 * A token whose time is over still counts where the proxy that logs people in names its user, and log out leads elsewhere (contract
 * 2.7): there the proxy decides how long somebody is signed in, and nobody could log in here anew.
 */
async function recogniseByProxy(
  login: sessions.SessionNeeds,
  settings: Needs['records']['settings'],
  { header, ofProxy }: Credentials,
): Promise<sessions.RecognisedSession | null> {
  if (header === undefined) return null
  const { authMethod, logoutPage } = await settings.get()
  if (authMethod !== 'proxy' || logoutPage === defaultSettings.logoutPage) return null
  const { header: name } = await settings.signIn()
  const username = vouchedName({ isProxy: true, header: ofProxy }, name)
  return username === '' ? null : sessions.recogniseVouched(login, { header }, username)
}
