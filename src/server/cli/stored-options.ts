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

/** What a database keeps that matters before serving. */
export type StoredState = {
  readonly options: ServerRecord
  /** Null before the first run, which says it. */
  readonly isWithoutLogin: boolean | null
}

const nothingStored: StoredState = { options: {}, isWithoutLogin: null }

/** What serving has to know of a database beforehand; nothing where there is none yet. Makes nothing. */
export async function storedState(database: string, clock: Clock): Promise<StoredState> {
  if (!isDatabaseAddress(database) && !(await hasDatabase(database, clock))) return nothingStored
  return (await onPresent(database, clock, readState)) ?? nothingStored
}

/** The options of serving that a database keeps; none where there is no database yet. Makes nothing. */
export const storedOptions = async (database: string, clock: Clock): Promise<ServerRecord> =>
  (await storedState(database, clock)).options

async function readState({ settings }: Records): Promise<StoredState> {
  const isSetUp = (await settings.key()) !== null
  const { authMethod } = await settings.get()
  return { options: await settings.server(), isWithoutLogin: isSetUp ? authMethod === 'noauth' : null }
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
