import { defaultSettings, settingNames, type Settings } from '../../shared/contract/setting-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import {
  noteOfSentence,
  type TakeoverNote,
  type TakeoverReport,
} from '../../shared/domain/takeover/takeover-report.ts'
import { isUniqueViolation } from './constraint-violation.ts'
import { lockTable } from './sql/dialect.ts'
import type { StoredServingOptions, SettingsStore, LoginMethodSettings, TakeoverRecord } from './port.ts'
import type { Database } from './sql/tables.ts'

const settingKeys: readonly string[] = settingNames

const defaultSignIn: LoginMethodSettings = { recaptcha: null, header: '', command: '' }

/**
 * Creates the store of settings, which has one row per setting. Each call reads the database, because another process
 * may have changed a setting.
 */
export function createSettings(database: Database): SettingsStore {
  return {
    get: () => readSettings(database),
    change: (changes) =>
      database.transaction().execute(async (transaction) => {
        await lockTable(transaction, 'setting')
        await storeChanges(transaction, changes)
      }),
    changeBy: (change) =>
      database.transaction().execute(async (transaction) => {
        await lockTable(transaction, 'setting')
        await storeChanges(transaction, await change(await readSettings(transaction)))
        return readSettings(transaction)
      }),
    async key() {
      const text = await storedValue<string>(database, 'key')
      return text === null ? null : new Uint8Array(Buffer.from(text, 'base64'))
    },
    async setKey(key) {
      const value = JSON.stringify(Buffer.from(key).toString('base64'))
      try {
        await database.insertInto('setting').values({ key: 'key', value, rev: 1 }).execute()
      } catch (cause) {
        throw isUniqueViolation(cause) ? new AppError('name-taken', { cause }) : cause
      }
    },
    signIn: async () => (await storedValue<LoginMethodSettings>(database, 'signIn')) ?? defaultSignIn,
    setSignIn: (signIn) => putSetting(database, 'signIn', signIn),
    server: async () => (await storedValue<StoredServingOptions>(database, 'server')) ?? {},
    setServer: (options) => putSetting(database, 'server', options),
    async takeover() {
      const stored = await storedValue<StoredTakeover>(database, 'takeover')
      return stored === null ? null : takeoverOf(stored)
    },
    setTakeover: (takeover) => putSetting(database, 'takeover', takeover),
  }
}

/** A note of a report as it is stored. Early records have a sentence instead of an object with a user. */
type StoredNote = TakeoverNote | string

/** The record of a takeover as it was stored. Early records have no path, and only sentences. */
type StoredTakeover = Omit<TakeoverRecord, 'from' | 'report'> & {
  readonly from?: string
  readonly report: Readonly<Record<keyof TakeoverReport, readonly StoredNote[]>>
}

const takeoverOf = ({
  from = '',
  report: { kept, changed, left },
  ...stored
}: StoredTakeover): TakeoverRecord => ({
  ...stored,
  from,
  report: { kept: kept.map(noteOf), changed: changed.map(noteOf), left: left.map(noteOf) },
})

const noteOf = (stored: StoredNote): TakeoverNote =>
  typeof stored === 'string' ? noteOfSentence(stored) : stored

async function readSettings(database: Database): Promise<Settings> {
  const rows = await database
    .selectFrom('setting')
    .select(['key', 'value'])
    .where('key', 'in', settingKeys)
    .execute()
  const stored = Object.fromEntries(
    rows.map(({ key, value }) => [key, JSON.parse(value)]),
  ) as Partial<Settings>
  const settings = { ...defaultSettings, ...stored }
  return { ...settings, commands: { ...defaultSettings.commands, ...settings.commands } }
}

async function storeChanges(transaction: Database, changes: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(changes)) {
    if (!settingKeys.includes(key)) throw new AppError('bad-request', { reason: `unknown setting ${key}` })
    if (value !== undefined) await putSetting(transaction, key, value)
  }
}

async function storedValue<T>(database: Database, key: string): Promise<T | null> {
  const row = await database.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
  return row ? (JSON.parse(row.value) as T) : null
}

/** Stores the value of one setting. An existing value is replaced. */
export async function putSetting(database: Database, key: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value)
  await database
    .insertInto('setting')
    .values({ key, value: text, rev: 1 })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((expression) => ({ value: text, rev: expression('setting.rev', '+', 1) })),
    )
    .execute()
}
