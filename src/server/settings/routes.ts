import {
  getLogo,
  getSettings,
  listOptions,
  removeLogo,
  setLogo,
  updateSettings,
  type ServerOption,
} from '../../shared/contract/settings.ts'
import { matchesEtag } from '../http/response/preconditions.ts'
import { done, route, type Route } from '../http/route.ts'
import type { Account } from '../records/user-store.ts'
import { removeLogo as removeStoredLogo, storeLogo, type ChangeLogoDependencies } from './change-logo.ts'
import { changeSettings, type ChangeSettingsDependencies } from './change-settings.ts'
import { versionedSettings } from './versioned-settings.ts'

export type SettingsDependencies = ChangeSettingsDependencies &
  ChangeLogoDependencies & {
    /** Throws `wrong-password` when a password is given and is not the user's password. */
    readonly checkCurrentPassword: (user: Account, password: string | null | undefined) => Promise<void>
    /** The options of the server that administrators may see. */
    readonly options: readonly ServerOption[]
  }

/** Returns the routes below `/api/settings`. */
export const settingsRoutes = (dependencies: SettingsDependencies): readonly Route[] => [
  route(getSettings, async () => {
    const { resource, version } = versionedSettings(await dependencies.settings.get())
    return { kind: 'json', json: resource, headers: { ETag: `"${version}"` } }
  }),
  route(listOptions, async () => ({ kind: 'json', json: dependencies.options })),
  route(updateSettings, async ({ caller, body, header }) => {
    await dependencies.checkCurrentPassword(caller.user, body.current_password)
    const ifMatch = header('if-match')
    // Proxies that compress responses make tags weak.
    const mayReplace = (version: string): boolean =>
      ifMatch === undefined || matchesEtag(ifMatch, version, 'weak')
    await changeSettings(dependencies, body, mayReplace)
    return done
  }),
  route(getLogo, async () => ({
    kind: 'json',
    json: { isStored: (await dependencies.settings.logo()) !== null },
  })),
  route(setLogo, async ({ bytes }) => {
    await storeLogo(dependencies, bytes)
    return done
  }),
  route(removeLogo, async () => {
    await removeStoredLogo(dependencies)
    return done
  }),
]
