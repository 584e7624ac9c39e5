import { brandingWarnings } from '../../config/branding-warnings.ts'
import { withAbsolutePaths } from '../../config/stored-paths.ts'
import { servingOptionList } from '../../config/serving-options.ts'
import type { StoredServingOptions } from '../../records/settings.ts'
import { pickMembers } from '../../../shared/contract/fields/fields.ts'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { defaultFieldNames, initialUserValues } from '../../../shared/contract/fields/user-fields.ts'
import { printConfiguration } from './config-cat.ts'
import { applyFlags } from '../verb/flag-setter.ts'
import { withoutPartialCaptcha } from '../../exchange/config-record.ts'
import { settingFlags } from './setting-flags.ts'
import { userFlags } from '../users/user-flags.ts'
import type { VerbCallWithRecords, CliVerb } from '../verb/verb.ts'

const keyBytes = 64
const options = [...settingFlags, ...userFlags].map(({ option }) => option)

/**
 * Adds the view mode `list` as the default of `config init`. A first run stores cards (`mosaic`) instead (contract
 * 14.2, 14.3).
 */
const withInitialView = (flags: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([['viewMode', 'list'], ...flags])

/** Creates a database without any user. */
export const configInit: CliVerb = {
  name: 'config init',
  parameters: [],
  meaning: 'Creates a database with the settings of the flags.',
  options,
  worksOn: 'new database',
  async run(call) {
    await storeFlags({ ...call, flags: withInitialView(call.flags) })
    await call.records.settings.setKey(call.io.randomBytes(keyBytes))
    await printConfiguration(call)
  },
}

export const configSet: CliVerb = {
  name: 'config set',
  parameters: [],
  meaning: 'Changes the settings that the flags name.',
  options,
  worksOn: 'database',
  async run(call) {
    await storeFlags(call)
    await printConfiguration(call)
  },
}

export const configCat: CliVerb = {
  name: 'config cat',
  parameters: [],
  meaning: 'Shows the settings.',
  options: [],
  worksOn: 'database',
  run: printConfiguration,
}

/** Returns the flags of a command line that are stored as serving options. Their paths must be absolute. */
export const storableFlags = (flags: ReadonlyMap<string, string>): StoredServingOptions =>
  Object.fromEntries(
    servingOptionList.flatMap(({ name, isUnstored }) => {
      const text = isUnstored ? undefined : flags.get(name)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )

async function storeFlags(given: VerbCallWithRecords): Promise<void> {
  const flags = withAbsolutePaths(given.flags, given.io.cwd)
  const call = { ...given, flags }
  const { settings } = call.records
  const stored = await storeSettings(call)
  await storeSignIn(call, stored)
  if (flags.has('branding.files'))
    for (const warning of brandingWarnings(stored.branding.files))
      call.io.stderr.write(`stowage: Warning: ${warning}\n`)
  const options = storableFlags(flags)
  if (Object.keys(options).length > 0) await settings.setServer({ ...(await settings.server()), ...options })
}

/**
 * Changes the settings in one transaction, since other processes may change them concurrently. Returns the stored
 * settings.
 */
async function storeSettings({ flags, loaded, records }: VerbCallWithRecords): Promise<Settings> {
  const signIn = await records.settings.signIn()
  const isWithoutLogin = flags.has('noauth') && loaded.config.noauth && !flags.has('auth.method')
  return records.settings.changeBy((before) => {
    const { settings } = applyFlags(settingFlags, { settings: before, signIn }, flags)
    const defaults = pickMembers(
      applyFlags(userFlags, { ...initialUserValues, ...before.defaults }, flags),
      defaultFieldNames,
    )
    const authMethod = isWithoutLogin ? 'noauth' : settings.authMethod
    return changedMembers(before, { ...settings, defaults, authMethod })
  })
}

/**
 * Stores the parameters of the login methods when flags change them. A running server never changes these parameters,
 * so no transaction is needed.
 */
async function storeSignIn({ flags, records }: VerbCallWithRecords, settings: Settings): Promise<void> {
  const before = await records.settings.signIn()
  const { signIn } = applyFlags(settingFlags, { settings, signIn: before }, flags)
  if (JSON.stringify(signIn) !== JSON.stringify(before))
    await records.settings.setSignIn(withoutPartialCaptcha(signIn))
}

/**
 * Returns only the members that differ. A member that stays out of the database keeps its default, also when a later
 * version changes the default.
 */
function changedMembers<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[key]),
  )
  return Object.fromEntries(changed) as Partial<T>
}
