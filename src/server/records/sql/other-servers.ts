import { setTimeout as pause } from 'node:timers/promises'
import type { MigrationWait } from '../database-options.ts'

/** The interval in milliseconds at which the other servers are asked for again. */
const intervalMs = 200

/** A migration that waits for other servers. */
type WaitingMigration = {
  /** Undefined for a command of the command line, which does not wait. */
  readonly wait: Pick<MigrationWait, 'log'> | undefined
  readonly otherServersRun: () => Promise<boolean>
  /** Returns true while the database is to be migrated. Another server that has waited, too, may migrate it first. */
  readonly isNeeded: () => Promise<boolean>
}

/**
 * Resolves when no other server uses the database, or when it is migrated. A server waits before it migrates the
 * database, because servers of an earlier version would go on with tables that they do not know. One line says that it waits.
 */
export async function awaitOtherServers({
  wait,
  otherServersRun,
  isNeeded,
}: WaitingMigration): Promise<void> {
  if (wait === undefined || !(await otherServersRun())) return
  wait.log(
    'The database must be migrated for this version. The start waits until the other servers of this state have ended.',
  )
  do await pause(intervalMs)
  while ((await isNeeded()) && (await otherServersRun()))
}
