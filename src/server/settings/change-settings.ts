import { AppError } from '../../shared/domain/failure.ts'
import type { Actor } from '../access/actor.ts'
import type { SettingsStore, User } from '../records/port.ts'
import { readSettingsChanges, type RequestedSettings, type SettingsReaders } from './settings-changes.ts'
import { versionedSettings } from './versioned-settings.ts'

export type ChangeSettingsDependencies = SettingsReaders & {
  readonly settings: Pick<SettingsStore, 'get' | 'changeBy'>
  /** Throws `wrong-password` when a password is given and is not the user's password. */
  readonly checkCurrentPassword: (
    user: Pick<User, 'id'>,
    password: string | null | undefined,
  ) => Promise<void>
  /** Called after settings were stored and before the change is confirmed. */
  readonly onChange: () => Promise<void>
}

/** Settings to change. */
export type SettingsChange = {
  readonly requested: RequestedSettings
  /** The actor's own password, which is checked when it is given. */
  readonly currentPassword: string | null | undefined
  /** Returns true when settings of this version may be replaced. */
  readonly mayReplace: (version: string) => boolean
}

/**
 * Changes settings, which take effect with the next request. Throws `changed-meanwhile` when the change is based on
 * another version of the settings.
 */
export async function changeSettings(
  dependencies: ChangeSettingsDependencies,
  actor: Pick<Actor, 'user'>,
  { requested, currentPassword, mayReplace }: SettingsChange,
): Promise<void> {
  await dependencies.checkCurrentPassword(actor.user, currentPassword)
  const changes = await readSettingsChanges(dependencies, requested, await dependencies.settings.get())
  await dependencies.settings.changeBy((before) => {
    if (!mayReplace(versionedSettings(before).version)) throw new AppError('changed-meanwhile')
    return changes
  })
  await dependencies.onChange()
}
