import { pickMembers } from '../../shared/contract/fields.ts'
import { readableSettingNames } from '../../shared/contract/setting-fields.ts'
import {
  getSettings,
  listOptions,
  updateSettings,
  type ServerOption,
} from '../../shared/contract/settings.ts'
import { done, route, type Route } from '../http/route.ts'
import type { SettingsStore, User } from '../records/port.ts'
import { readSettingsChanges, type SettingsReaders } from './settings-changes.ts'

export type SettingsDependencies = SettingsReaders & {
  readonly settings: Pick<SettingsStore, 'get' | 'change'>
  /** Throws `wrong-password` when a password is given and is not the user's password. */
  readonly checkCurrentPassword: (user: User, password: string | null | undefined) => Promise<void>
  /** The options of the server that administrators may see. */
  readonly options: readonly ServerOption[]
  /** Called after settings were stored and before the response is sent. */
  readonly onChange: () => Promise<void>
}

/** Returns the routes below `/api/settings`. Changes take effect with the next request. */
export const settingsRoutes = (dependencies: SettingsDependencies): readonly Route[] => [
  route(getSettings, async () => ({
    kind: 'json',
    json: pickMembers(await dependencies.settings.get(), readableSettingNames),
  })),
  route(listOptions, async () => ({ kind: 'json', json: dependencies.options })),
  route(updateSettings, async ({ caller, body }) => {
    await dependencies.checkCurrentPassword(caller.user, body.current_password)
    await dependencies.settings.change(
      await readSettingsChanges(dependencies, body, await dependencies.settings.get()),
    )
    await dependencies.onChange()
    return done
  }),
]
