import type { Door } from '../access/door.ts'
import { vouchedName } from '../auth/methods/proxy.ts'
import * as sessions from '../auth/sessions.ts'
import type { Credentials, Doors } from '../http/doors.ts'
import { defaultSettings } from '../records/default-settings.ts'
import type { SettingsStore } from '../records/port.ts'

type Needs = {
  readonly login: sessions.SessionNeeds
  readonly door: Door
  readonly records: { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> }
}

/** Who asks: the session behind the credentials, and what its user may reach as the records say now. */
export function doorsOf({ login, door, records }: Needs): Doors {
  return {
    async recognise(credentials, cause) {
      const found =
        (await sessions.recogniseSession(login, credentials)) ??
        (await recogniseByProxy(login, records.settings, credentials))
      if (found === null) return null
      const { user, session, shouldRenew } = found
      return { caller: await door.admit({ user, session, cause }), shouldRenew }
    },
    onSessionEnd: login.ends.onEnd,
  }
}

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
