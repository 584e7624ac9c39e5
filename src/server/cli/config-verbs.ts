import { servingOptionList } from '../config/serving-options.ts'
import type { ServerRecord, Settings } from '../records/port.ts'
import { printConfiguration } from './config-cat.ts'
import { applyFlags } from './setter.ts'
import { settingSetters, settledSignIn } from './setting-setters.ts'
import { userSetters } from './user-setters.ts'
import type { RecordsCall, Verb } from './verb.ts'

const keyBytes = 64
const options = [...settingSetters, ...userSetters].map(({ option }) => option)

/** A database that a script makes shows lists; the one of a first run shows cards (contract 14.2, 14.3). */
const withInitialView = (flags: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([['viewMode', 'list'], ...flags])

/** Makes a database without any user. */
export const configInit: Verb = {
  name: 'config init',
  takes: [],
  meaning: 'Makes a database with the settings that the flags name.',
  options,
  on: 'new database',
  async run(call) {
    await storeFlags({ ...call, flags: withInitialView(call.flags) })
    await call.records.settings.setKey(call.io.randomBytes(keyBytes))
    await printConfiguration(call)
  },
}

export const configSet: Verb = {
  name: 'config set',
  takes: [],
  meaning: 'Changes the settings that the flags name.',
  options,
  on: 'database',
  async run(call) {
    await storeFlags(call)
    await printConfiguration(call)
  },
}

export const configCat: Verb = {
  name: 'config cat',
  takes: [],
  meaning: 'Shows the settings.',
  options: [],
  on: 'database',
  run: printConfiguration,
}

/** What is kept of a command line's options of serving. */
export const storableFlags = (flags: ReadonlyMap<string, string>): ServerRecord =>
  Object.fromEntries(
    servingOptionList.flatMap(({ name, isUnstored }) => {
      const text = isUnstored ? undefined : flags.get(name)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )

async function storeFlags(call: RecordsCall): Promise<void> {
  const {
    flags,
    records: { settings },
  } = call
  await storeSignIn(call, await storeSettings(call))
  const options = storableFlags(flags)
  if (Object.keys(options).length > 0) await settings.setServer({ ...(await settings.server()), ...options })
}

/** In one step, from what is there then: others may be changing them. Gives all that is stored. */
async function storeSettings({ flags, loaded, records }: RecordsCall): Promise<Settings> {
  const signIn = await records.settings.signIn()
  const isWithoutLogin = flags.has('noauth') && loaded.config.noauth && !flags.has('auth.method')
  return records.settings.changeBy((before) => {
    const { settings } = applyFlags(settingSetters, { settings: before, signIn }, flags)
    const { lockPassword: _never, ...defaults } = applyFlags(
      userSetters,
      { ...before.defaults, lockPassword: false },
      flags,
    )
    const authMethod = isWithoutLogin ? 'noauth' : settings.authMethod
    return changedMembers(before, { ...settings, defaults, authMethod })
  })
}

/** Where flags are about it. A running server never changes it. */
async function storeSignIn({ flags, records }: RecordsCall, settings: Settings): Promise<void> {
  const before = await records.settings.signIn()
  const { signIn } = applyFlags(settingSetters, { settings, signIn: before }, flags)
  if (JSON.stringify(signIn) !== JSON.stringify(before))
    await records.settings.setSignIn(settledSignIn(signIn))
}

/** Only what differs: what was never stored keeps having its default. */
function changedMembers<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[key]),
  )
  return Object.fromEntries(changed) as Partial<T>
}
