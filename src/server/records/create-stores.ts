import { addAccounts } from './account-import.ts'
import type { AuditStore } from './audit-store.ts'
import type { InstallationWrites, RecordStores } from './port.ts'
import { createReceivedFiles } from './received-files.ts'
import { createSessions } from './sessions.ts'
import { createSettings } from './settings.ts'
import { setUp } from './set-up.ts'
import { createShares } from './shares.ts'
import { createShareUses } from './shares/share-uses.ts'
import type { Database } from './sql/tables.ts'
import { createScopeUsages } from './scope-usages.ts'
import { createThrottles } from './throttles.ts'
import { createTicketStore } from './tickets.ts'
import { createUploads } from './uploads.ts'
import { createUsers } from './users.ts'

/** All functions that read or change the stored state. */
export type StateStores = RecordStores & { readonly installation: InstallationWrites }

export type StateStoresOptions = {
  readonly database: Database
  readonly nowMs: () => number
  /** The store of the audit log, which remembers where its next search for events to delete begins. */
  readonly audit: AuditStore
  /** The number of rows of each kind that one user may have, where a test needs fewer than a thousand. */
  readonly rowsPerUser?: number | undefined
}

/** Creates the stores of a database. */
export const createStores = ({ database, nowMs, audit, rowsPerUser }: StateStoresOptions): StateStores => ({
  users: createUsers(database, nowMs),
  sessions: createSessions(database, nowMs, rowsPerUser),
  shares: createShares(database, nowMs),
  shareUses: createShareUses(database),
  receivedFiles: createReceivedFiles(database, nowMs),
  settings: createSettings(database),
  throttles: createThrottles(database, nowMs),
  tickets: createTicketStore(database, nowMs),
  scopeUsages: createScopeUsages(database, nowMs),
  uploads: createUploads(database, rowsPerUser),
  audit,
  installation: {
    setUp: (initial) => setUp(database, nowMs, initial),
    addAccounts: (request) => addAccounts(database, nowMs, request),
  },
})
