import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseUpkeep } from '../database-options.ts'

/** The interval in milliseconds at which the other servers are asked for again. */
const intervalMs = 200

/**
 * Resolves when no other server uses the database. A server waits before it migrates the database, because servers of an
 * earlier version would go on with tables that they do not know. The log says once that it waits. A command (no
 * `upkeep`) does not wait.
 */
export async function awaitOtherServers(
  upkeep: Pick<DatabaseUpkeep, 'log'> | undefined,
  otherServersRun: () => Promise<boolean>,
): Promise<void> {
  if (upkeep === undefined || !(await otherServersRun())) return
  upkeep.log(
    'The database must be migrated for this version. The start waits until the other servers of this state have ended.',
  )
  do await pause(intervalMs)
  while (await otherServersRun())
}
