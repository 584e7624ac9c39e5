import { existsSync, statSync } from 'node:fs'
import { codeOf } from '../../shared/domain/failure.ts'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { openRecords } from '../records/open-records.ts'
import type { Records, ServerRecord } from '../records/port.ts'

type Clock = { readonly nowMs: () => number }

/** Whether something is at a database's place. An empty file is nothing: containers mount such ones. So is an empty database. */
export const hasDatabase = async (database: string, clock: Clock): Promise<boolean> =>
  isDatabaseAddress(database)
    ? (await onPresent(database, clock, async () => true)) !== null
    : existsSync(database) && statSync(database).size > 0

/** The options of serving that a database keeps; none where there is no database yet. Makes nothing. */
export async function storedOptions(database: string, clock: Clock): Promise<ServerRecord> {
  if (!isDatabaseAddress(database) && !(await hasDatabase(database, clock))) return {}
  return (await onPresent(database, clock, ({ settings }) => settings.server())) ?? {}
}

/** Null where there is no database. */
async function onPresent<T>(
  database: string,
  { nowMs }: Clock,
  work: (records: Records) => Promise<T>,
): Promise<T | null> {
  const records = await openRecords({ database, nowMs, ifMissing: 'refuse' }).catch(noneIfMissing)
  if (records === null) return null
  try {
    return await work(records)
  } finally {
    await records.close()
  }
}

function noneIfMissing(thrown: unknown): null {
  if (codeOf(thrown) === 'not-found') return null
  throw thrown
}
