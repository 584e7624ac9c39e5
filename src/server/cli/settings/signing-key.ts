import type { SettingsStore } from '../../records/settings.ts'
import type { CliEnvironment } from '../verb/verb.ts'

const keyBytes = 64

/**
 * Stores a signing key unless the database has one. A database with a key counts as set up, so the first start of the
 * server does not overwrite imported data.
 */
export async function ensureSigningKey(
  settings: SettingsStore,
  { randomBytes }: Pick<CliEnvironment, 'randomBytes'>,
): Promise<void> {
  if ((await settings.key()) === null) await settings.setKey(randomBytes(keyBytes))
}
