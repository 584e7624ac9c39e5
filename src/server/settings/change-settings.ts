import { AppError } from '../../shared/domain/failure.ts'
import type { SettingsStore } from '../records/settings.ts'
import { readSettingsChanges, type RequestedSettings, type SettingsReaders } from './settings-changes.ts'
import { versionedSettings } from './versioned-settings.ts'

export type ChangeSettingsDependencies = SettingsReaders & {
  readonly settings: Pick<SettingsStore, 'get' | 'changeBy'>
  /** Called after settings were stored and before the change is confirmed. */
  readonly onChange: () => Promise<void>
}

/**
 * Changes settings, which take effect with the next request. `mayReplace` returns true when settings of a version may be
 * replaced. Throws `changed-meanwhile` otherwise.
 */
export async function changeSettings(
  dependencies: ChangeSettingsDependencies,
  requested: RequestedSettings,
  mayReplace: (version: string) => boolean,
): Promise<void> {
  const changes = await readSettingsChanges(dependencies, requested, await dependencies.settings.get())
  await dependencies.settings.changeBy((before) => {
    if (!mayReplace(versionedSettings(before).version)) throw new AppError('changed-meanwhile')
    return changes
  })
  await dependencies.onChange()
}
