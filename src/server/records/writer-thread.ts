import { pathToFileURL } from 'node:url'
import { Kysely } from 'kysely'
import { type MainThreadLink, serve } from '../workers/serve.ts'
import type { SignaturesOf } from '../workers/task-signatures.ts'
import { createAuditStore, type AuditStore } from './audit-store.ts'
import { createStores, type StateStores } from './create-stores.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'
import { requireIdentity, type DatabaseIdentity } from './file/file-presence.ts'
import { writesNothing } from './file/log-flusher.ts'
import { sharedClockMs } from './file/shared-clock.ts'
import { explainSqliteError } from './file/sqlite-failure.ts'
import { openSqlite, type SqliteConnection } from './file/sqlite.ts'

/** The database that the calls of a server change. */
export type WriterContext = {
  readonly file: string
  readonly identity: DatabaseIdentity
  readonly auditBytes: number | undefined
  /** The time in milliseconds for which a call waits while another process keeps the database locked. */
  readonly lockWaitMs: number
}

/** A call of a method that changes the database. */
export type StoreWriteInput = {
  readonly store: keyof StateStores
  readonly method: string
  readonly args: readonly unknown[]
  /** The index of the argument that is a function of the main thread; -1 when there is none. */
  readonly callbackIndex: number
  /** The server's time of the call. */
  readonly atMs: number
  /** The time of the call by the clock that all threads share. */
  readonly sentAtMs: number
}

type WriterConnection = Pick<SqliteConnection, 'setLockWaitMs'> & {
  readonly database: Database
  readonly audit: AuditStore
}

/** The open databases by path. A server has one; the servers of tests share the thread. */
const connections = new Map<string, WriterConnection>()

/**
 * All changes of a server are made in one thread, each transaction as a whole. A call that waits for the lock of the
 * database blocks this thread and no other.
 */
const tasks = {
  async write(
    { store, method, args, callbackIndex, atMs, sentAtMs }: StoreWriteInput,
    link: MainThreadLink,
  ): Promise<unknown> {
    const context = link.context as WriterContext
    const { database, audit, setLockWaitMs } = connections.get(context.file) ?? (await connect(context))
    // Calls that queue behind one that has waited in vain do not wait for as long again.
    setLockWaitMs(Math.max(0, sentAtMs + context.lockWaitMs - sharedClockMs()))
    const stores = createStores({ database, nowMs: () => atMs, audit })
    const methods = stores[store] as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>
    const callback = (value: unknown): Promise<unknown> => link.sendRequest(value)
    return methods[method]!(...args.map((value, index) => (index === callbackIndex ? callback : value)))
  },

  /** Closes the connection to a database. */
  async close({ file }: { readonly file: string }): Promise<void> {
    await connections.get(file)?.database.destroy()
    connections.delete(file)
  },
}

/** Connects to a database, unless its file is missing or another one than the server has opened. */
async function connect({ file, identity, auditBytes, lockWaitMs }: WriterContext): Promise<WriterConnection> {
  const requireFile = (): void => requireIdentity(file, identity)
  requireFile()
  // SQLite would create a missing file without this mode.
  const url = pathToFileURL(file)
  url.searchParams.set('mode', 'rw')
  const onStatement = (statement: string): void => {
    if (!writesNothing.test(statement)) requireFile()
  }
  const { dialect, setLockWaitMs } = withExplainedErrors(file, () =>
    openSqlite(file, { url, lockWaitMs, onStatement }),
  )
  const database = new Kysely<DatabaseTables>({ dialect })
  try {
    requireFile()
  } catch (thrown) {
    await database.destroy()
    throw thrown
  }
  const connection = { database, setLockWaitMs, audit: createAuditStore(database, auditBytes) }
  connections.set(file, connection)
  return connection
}

/** Runs work on a database. An error that a problem of the machine has caused becomes an `AppError`, which keeps its code. */
function withExplainedErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw explainSqliteError(thrown, file)
  }
}

export type WriterTasks = SignaturesOf<typeof tasks>

serve(tasks, () => {
  for (const { database } of connections.values()) void database.destroy()
})
