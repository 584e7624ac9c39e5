import { addUserField } from './add-user-field.ts'
import { auditEvents } from './audit-events.ts'
import { auditSize } from './audit-size.ts'
import { firstTables } from './first-tables.ts'
import { foundShares } from './found-shares.ts'
import type { Migration } from './migration.ts'
import { oldRequests } from './old-requests.ts'
import { oldTokens } from './old-tokens.ts'
import { outbox } from './outbox.ts'
import { receivedFiles } from './received-files.ts'
import { scopeUsages } from './scope-usages.ts'
import { shareDisks } from './share-disks.ts'
import { shareModes } from './share-modes.ts'
import { shareSenders } from './share-senders.ts'
import { shareUses } from './share-uses.ts'
import { shareTable } from './share-table.ts'
import { throttleTimes } from './throttle-times.ts'
import { tickets } from './tickets.ts'
import { uploads } from './uploads.ts'
import { uploadTimes } from './upload-times.ts'
import { withoutOldRequests } from './without-old-requests.ts'

/**
 * All migrations, in the order in which they run. A database has a migration when its table has the name, so a name never changes. New
 * migrations are appended at the end, because they may rely on earlier ones.
 */
export const migrations: readonly Migration[] = [
  firstTables,
  uploads,
  shareTable,
  addUserField('quotas', { field: 'quotaBytes', initial: null }),
  uploadTimes,
  shareModes,
  receivedFiles,
  auditEvents,
  oldTokens,
  oldRequests,
  auditSize,
  shareDisks,
  withoutOldRequests,
  throttleTimes,
  tickets,
  outbox,
  scopeUsages,
  shareSenders,
  shareUses,
  foundShares,
]

const names: ReadonlySet<unknown> = new Set(migrations.map(({ name }) => name))

/** Returns true for the name of a migration of this version. A database with any other was written by a newer version. */
export const isKnownMigration = (name: unknown): boolean => names.has(name)
