import type { SettingsStore } from '../../records/port.ts'
import type { CliEnvironment } from '../verb/verb.ts'

const keyBytes = 64

/**
 * Stores a signing key unless the database has one, so that a first start does not replace imported data by a first
 * state.
 */
export async function ensureSigningKey(
  settings: SettingsStore,
  { randomBytes }: Pick<CliEnvironment, 'randomBytes'>,
): Promise<void> {
  if ((await settings.key()) === null) await settings.setKey(randomBytes(keyBytes))
}
