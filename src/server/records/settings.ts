import { defaultSettings, settingNames, type Settings } from '../../shared/contract/setting-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import {
  noteOfSentence,
  type TakeoverNote,
  type TakeoverReport,
} from '../../shared/domain/takeover/takeover-report.ts'
import { isUniqueViolation } from './constraint-violation.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database } from './sql/tables.ts'

/**
 * The stored parameters of the login methods: the captcha, the name of the proxy's header, and the login program. They
 * include secrets, so no response contains all of them.
 */
export type LoginMethodSettings = {
  readonly recaptcha: { readonly host: string; readonly key: string; readonly secret: string } | null
  readonly header: string
  readonly command: string
}

/**
 * The options of the server that `config init` and `config set` have stored: the value of each option as a string, by
 * the option's name.
 */
export type StoredServingOptions = Readonly<Record<string, string>>

/** The uploaded logo of the installation. */
export type Logo = {
  readonly type: 'image/png' | 'image/webp' | 'image/svg+xml'
  readonly base64: string
}

/** The facts about the takeover of a database of File Browser, in the database that was made from it. */
export type TakeoverRecord = {
  readonly atMs: number
  /** The path of File Browser's database. Empty when it is not known. */
  readonly from: string
  /** SHA-256 (base64url) of the signing key in File Browser's database. It identifies the installation whose state a database contains. */
  readonly keyDigest: string
  /**
   * True while tokens that File Browser issued before the takeover are accepted. A restored database does not accept
   * them, because some of them may have been ended after the backup was made.
   */
  readonly acceptsOldTokens: boolean
  readonly report: TakeoverReport
}

/**
 * The store of settings. Each setting has a separate row, so that two administrators who change different settings do
 * not undo each other's changes. A setting that was never stored has its default value.
 */
export type SettingsStore = {
  get(): Promise<Settings>
  /** Replaces the values of the given settings in one transaction. Values are not merged with the former values. */
  change(changes: Partial<Settings>): Promise<void>
  /**
   * Works like `change`, with values that `change` computes from the stored settings. No other call can change a
   * setting between the read and the write. Returns the settings after the change.
   */
  changeBy(change: (before: Settings) => Partial<Settings> | Promise<Partial<Settings>>): Promise<Settings>
  /** Returns the key (64 bytes) that signs tokens; null before the first start. */
  key(): Promise<Uint8Array | null>
  /** Stores the key that signs tokens. Throws `name-taken` when the database already has a key. */
  setKey(key: Uint8Array): Promise<void>
  signIn(): Promise<LoginMethodSettings>
  setSignIn(signIn: LoginMethodSettings): Promise<void>
  /** Returns the uploaded logo; null without one. */
  logo(): Promise<Logo | null>
  setLogo(logo: Logo | null): Promise<void>
  server(): Promise<StoredServingOptions>
  setServer(options: StoredServingOptions): Promise<void>
  /** Returns the record of the takeover; null for a database that was not made from one of File Browser. */
  takeover(): Promise<TakeoverRecord | null>
  setTakeover(takeover: TakeoverRecord): Promise<void>
}

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
    logo: () => storedValue<Logo>(database, 'logo'),
    setLogo: (logo) => putSetting(database, 'logo', logo),
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
  return {
    ...settings,
    // Early versions stored no accent.
    branding: { ...defaultSettings.branding, ...settings.branding },
    commands: { ...defaultSettings.commands, ...settings.commands },
  }
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
