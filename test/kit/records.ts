import { onTestFinished } from 'vitest'
import { defaultSettings } from '../../src/server/records/default-settings.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { Records, Share, UserFields } from '../../src/server/records/port.ts'
import type { Path } from '../../src/shared/domain/path.ts'
import { databaseIn } from './database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A clock that goes when it is told to. */
export type Clock = { nowMs: () => number; pass: (ms: number) => void }

export function createClock(startMs = 1_800_000_000_000): Clock {
  let atMs = startMs
  return { nowMs: () => atMs, pass: (ms) => void (atMs += ms) }
}

/** Records in a real database that goes away with the test. */
export async function testRecords(
  clock: Clock = createClock(),
): Promise<Records & { readonly database: string }> {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const records = await openRecords({ database, nowMs: clock.nowMs })
  onTestFinished(() => records.close())
  return { ...records, database }
}

/** All that a user needs, with what is wished. */
export const userFields = (wish: Partial<UserFields> & Pick<UserFields, 'username'>): UserFields => ({
  ...defaultSettings.defaults,
  passwordHash: '$argon2id$none',
  lockPassword: false,
  rules: [],
  isDisabled: false,
  ...wish,
})

export const adminRights = { ...defaultSettings.defaults.perm, admin: true }

/** What another process has done, it had done before we looked at what has arrived: between two immediates lies such a look. */
export async function elsewhere(change: Promise<unknown>): Promise<void> {
  await change
  for (const _ of 'ab') await new Promise((resolve) => setImmediate(resolve))
}

/** A permanent share of `/docs` by the first user. */
export const shareFields = (wish: Partial<Share>): Share => ({
  hash: 'hash',
  userId: 1,
  path: '/docs' as Path,
  kind: 'folder',
  passwordHash: null,
  tokenDigest: null,
  expiresAtSeconds: null,
  availableFromSeconds: null,
  createdAtMs: 0,
  ...wish,
})
