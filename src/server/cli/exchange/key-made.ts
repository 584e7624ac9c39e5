import type { SettingsStore } from '../../records/port.ts'
import type { Io } from '../verb.ts'

const keyBytes = 64

/** Gives a database its key where it has none: then a first start leaves what was imported alone. */
export async function keyMade(
  settings: SettingsStore,
  { randomBytes }: Pick<Io, 'randomBytes'>,
): Promise<void> {
  if ((await settings.key()) === null) await settings.setKey(randomBytes(keyBytes))
}
