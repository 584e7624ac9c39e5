import { AppError } from '../../shared/domain/failure.ts'
import { isUniqueViolation } from './constraint.ts'
import { defaultSettings, defaultSignIn, noCommands } from './default-settings.ts'
import { holdTable } from './dialect.ts'
import type { ServerRecord, Settings, SettingsStore, SignIn } from './port.ts'
import type { Database } from './tables.ts'

const publicKeys = Object.keys(defaultSettings)

/** Settings in the database, one row a key. They are read anew each time: another process may have changed them. */
export function createSettings(database: Database): SettingsStore {
  return {
    get: () => readSettings(database),
    change: (changes) =>
      database.transaction().execute(async (inside) => {
        await holdTable(inside, 'setting')
        await storeChanges(inside, changes)
      }),
    changeBy: (change) =>
      database.transaction().execute(async (inside) => {
        await holdTable(inside, 'setting')
        await storeChanges(inside, change(await readSettings(inside)))
        return readSettings(inside)
      }),
    async key() {
      const text = await valueOf<string>(database, 'key')
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
    signIn: async () => (await valueOf<SignIn>(database, 'signIn')) ?? defaultSignIn,
    setSignIn: (signIn) => putSetting(database, 'signIn', signIn),
    server: async () => (await valueOf<ServerRecord>(database, 'server')) ?? {},
    setServer: (record) => putSetting(database, 'server', record),
  }
}

async function readSettings(database: Database): Promise<Settings> {
  const rows = await database
    .selectFrom('setting')
    .select(['key', 'value'])
    .where('key', 'in', publicKeys)
    .execute()
  const stored = Object.fromEntries(
    rows.map(({ key, value }) => [key, JSON.parse(value)]),
  ) as Partial<Settings>
  const settings = { ...defaultSettings, ...stored }
  return { ...settings, commands: { ...noCommands, ...settings.commands } }
}

async function storeChanges(inside: Database, changes: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(changes)) {
    if (!publicKeys.includes(key)) throw new AppError('bad-request', { reason: `unknown setting ${key}` })
    if (value !== undefined) await putSetting(inside, key, value)
  }
}

async function valueOf<T>(database: Database, key: string): Promise<T | null> {
  const row = await database.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
  return row ? (JSON.parse(row.value) as T) : null
}

/** One setting, replaced as a whole. */
export async function putSetting(database: Database, key: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value)
  await database
    .insertInto('setting')
    .values({ key, value: text, rev: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((at) => ({ value: text, rev: at('setting.rev', '+', 1) })),
    )
    .execute()
}
