import { existsSync, statSync } from 'node:fs'
import { codeOf } from '../../../shared/domain/failure.ts'
import { isDatabaseUrl } from '../../../shared/domain/database-url.ts'
import type { DatabaseOptions } from '../../records/database-options.ts'
import { openRecords } from '../../records/open-records.ts'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { firstUserId } from '../../auth/methods/login-without-password.ts'
import type { ServerRecords } from '../../records/port.ts'
import type { StoredServingOptions } from '../../records/settings.ts'
import type { User } from '../../records/user-store.ts'

type StateDependencies = { readonly nowMs: () => number } & Pick<DatabaseOptions, 'migrationWait'>

/**
 * Returns true when a database exists. An empty file, as container setups mount it, and an empty database on a server
 * do not count as existing.
 */
export const hasDatabase = async (database: string, clock: StateDependencies): Promise<boolean> =>
  isDatabaseUrl(database)
    ? (await withExistingDatabase(database, clock, async () => true)) !== null
    : existsSync(database) && statSync(database).size > 0

/** The part of the stored state that is read before serving begins. */
export type StoredState = {
  readonly options: StoredServingOptions
  /** True when every visitor is the first user; null before the first run, which sets the value. */
  readonly isWithoutLogin: boolean | null
  /** True when a proxy tells who a visitor is. */
  readonly isProxyLogin: boolean
  /** A sentence that says why nobody can log in, with a command that helps. Null when somebody can. */
  readonly loginObstacle: string | null
  /** The folder of the branding files; empty when there is none. */
  readonly brandingFolder: string
}

const nothingStored: StoredState = {
  options: {},
  isWithoutLogin: null,
  isProxyLogin: false,
  loginObstacle: null,
  brandingFolder: '',
}

/** Reads the part of the stored state that is needed before serving begins. It never creates a database. */
export async function storedState(database: string, clock: StateDependencies): Promise<StoredState> {
  if (!isDatabaseUrl(database) && !(await hasDatabase(database, clock))) return nothingStored
  return (await withExistingDatabase(database, clock, readState)) ?? nothingStored
}

/** Returns the stored serving options. The record is empty when no database exists. It never creates a database. */
export const storedOptions = async (
  database: string,
  clock: StateDependencies,
): Promise<StoredServingOptions> => (await storedState(database, clock)).options

async function readState({ settings, users }: ServerRecords): Promise<StoredState> {
  const isSetUp = (await settings.key()) !== null
  const { authMethod, branding } = await settings.get()
  return {
    options: await settings.server(),
    isWithoutLogin: isSetUp ? authMethod === 'noauth' : null,
    isProxyLogin: isSetUp && authMethod === 'proxy',
    loginObstacle: isSetUp ? loginObstacle(authMethod, await users.list()) : null,
    brandingFolder: branding.files,
  }
}

const createFirst = 'create one with: stowage users add NAME PASSWORD --perm.admin'

/** Returns why nobody can log in. A proxy or a login program can create users, so that none is needed before. */
function loginObstacle(authMethod: Settings['authMethod'], users: readonly User[]): string | null {
  if (authMethod === 'json')
    return users.length === 0 ? `nobody can log in, because there is no user; ${createFirst}` : null
  if (authMethod !== 'noauth') return null
  const first = users.find(({ id }) => id === firstUserId)
  if (first?.isDisabled === false) return null
  const start = 'nobody can use this server: it needs no login, and everybody acts as the user with the id 1'
  if (users.length === 0) return `${start}, but there is no user; ${createFirst}`
  const withLogin = 'let people log in with: stowage config set --auth.method=json'
  return first === undefined
    ? `${start}, who does not exist; ${withLogin}`
    : `${start}, who is disabled; ${withLogin}`
}

/** Runs `work` with the records of an existing database. Returns null when the database does not exist. */
async function withExistingDatabase<T>(
  database: string,
  { nowMs, migrationWait }: StateDependencies,
  work: (records: ServerRecords) => Promise<T>,
): Promise<T | null> {
  const records = await openRecords({ database, nowMs, migrationWait, ifMissing: 'refuse' }).catch(
    noneIfMissing,
  )
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
