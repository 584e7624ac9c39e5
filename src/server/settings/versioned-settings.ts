import { createHash } from 'node:crypto'
import { pickMembers } from '../../shared/contract/fields/fields.ts'
import { readableSettingNames, type Settings } from '../../shared/contract/setting-fields.ts'
import type { SettingsResource } from '../../shared/contract/settings.ts'

/** The settings that administrators see, and a text that differs for different settings. */
export type VersionedSettings = { readonly resource: SettingsResource; readonly version: string }

/** Returns what administrators see of the stored settings. */
export function versionedSettings(settings: Settings): VersionedSettings {
  const resource = pickMembers(settings, readableSettingNames)
  const version = createHash('sha256').update(JSON.stringify(resource)).digest('base64url')
  return { resource, version }
}
