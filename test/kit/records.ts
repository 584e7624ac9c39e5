import { onTestFinished } from 'vitest'
import { initialUserValues } from '../../src/shared/contract/fields/user-fields.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { ServerRecords } from '../../src/server/records/port.ts'
import type { ShareRecord } from '../../src/server/records/share-store.ts'
import type { UserFields } from '../../src/server/records/user-store.ts'
import type { Path } from '../../src/shared/domain/path.ts'
import { migratedDatabaseIn } from './database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A clock for tests. Its time changes only when the test calls `advance`. */
export type TestClock = { nowMs: () => number; advance: (ms: number) => void }

/** Creates a test clock with the initial time `startMs`. */
export function createClock(startMs = 1_800_000_000_000): TestClock {
  let currentMs = startMs
  return { nowMs: () => currentMs, advance: (ms) => void (currentMs += ms) }
}

/** Creates records in a real database, which is removed at the end of the test. */
export async function testRecords(
  clock: TestClock = createClock(),
  options: { readonly rowsPerUser?: number } = {},
): Promise<ServerRecords & { readonly database: string }> {
  const { database, remove } = await migratedDatabaseIn(temporaryFolder())
  onTestFinished(remove)
  const records = await openRecords({ database, nowMs: clock.nowMs, ...options })
  onTestFinished(() => records.close())
  return { ...records, database }
}

/** Returns a complete set of user fields. Fields that are not given have their initial values. */
export const userFields = (options: Partial<UserFields> & Pick<UserFields, 'username'>): UserFields => ({
  ...initialUserValues,
  passwordHash: '$argon2id$none',
  isDisabled: false,
  ...options,
})

export const adminPermissions = { ...initialUserValues.perm, admin: true }

/**
 * Waits for a change by another process, and then until this process has checked the database for changes, which it
 * does at most once per turn of the event loop.
 */
export async function afterExternalChange(change: Promise<unknown>): Promise<void> {
  await change
  for (const _ of 'ab') await new Promise((resolve) => setImmediate(resolve))
}

/** Returns a permanent share of `/docs` by the first user, with the given fields replaced. */
export const shareFields = (options: Partial<ShareRecord>): ShareRecord => ({
  hash: 'hash',
  userId: 1,
  path: '/docs' as Path,
  kind: 'folder',
  passwordHash: null,
  tokenDigest: null,
  mode: 'download',
  maxFiles: null,
  maxBytes: null,
  senderName: '',
  alias: '',
  maxDownloads: null,
  tellsOfFiles: false,
  disk: null,
  expiresAtSeconds: null,
  availableFromSeconds: null,
  createdAtMs: 0,
  ...options,
})
