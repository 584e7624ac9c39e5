import { createHash } from 'node:crypto'
import { pickMembers } from '../../shared/contract/fields.ts'
import { readableSettingNames, type Settings } from '../../shared/contract/setting-fields.ts'
import {
  getSettings,
  listOptions,
  updateSettings,
  type ServerOption,
  type SettingsResource,
} from '../../shared/contract/settings.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { matchesEtag } from '../http/response/preconditions.ts'
import { done, route, type Route } from '../http/route.ts'
import type { SettingsStore, Account } from '../records/port.ts'
import { readSettingsChanges, type SettingsReaders } from './settings-changes.ts'

export type SettingsDependencies = SettingsReaders & {
  readonly settings: Pick<SettingsStore, 'get' | 'changeBy'>
  /** Throws `wrong-password` when a password is given and is not the user's password. */
  readonly checkCurrentPassword: (user: Account, password: string | null | undefined) => Promise<void>
  /** The options of the server that administrators may see. */
  readonly options: readonly ServerOption[]
  /** Called after settings were stored and before the response is sent. */
  readonly onChange: () => Promise<void>
}

/** Returns the routes below `/api/settings`. Changes take effect with the next request. */
export const settingsRoutes = (dependencies: SettingsDependencies): readonly Route[] => [
  route(getSettings, async () => {
    const json = resourceOf(await dependencies.settings.get())
    return { kind: 'json', json, headers: { ETag: `"${versionOf(json)}"` } }
  }),
  route(listOptions, async () => ({ kind: 'json', json: dependencies.options })),
  route(updateSettings, async ({ caller, body, header }) => {
    await dependencies.checkCurrentPassword(caller.user, body.current_password)
    const changes = await readSettingsChanges(dependencies, body, await dependencies.settings.get())
    await dependencies.settings.changeBy((before) => {
      requireVersion(before, header('if-match'))
      return changes
    })
    await dependencies.onChange()
    return done
  }),
]

const resourceOf = (settings: Settings): SettingsResource => pickMembers(settings, readableSettingNames)

/** Returns a text that differs for different settings. */
const versionOf = (settings: SettingsResource): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url')

/**
 * Throws `changed-meanwhile` when a client bases a change on another version of the settings. Proxies that compress
 * responses make tags weak.
 */
function requireVersion(stored: Settings, ifMatch: string | undefined): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, versionOf(resourceOf(stored)), 'weak')) return
  throw new AppError('changed-meanwhile')
}
