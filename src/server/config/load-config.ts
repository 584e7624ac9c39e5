import { parseArguments, valueOf } from './arguments.ts'
import { CallError } from './call-error.ts'
import { findConfigurationFile } from './configuration-file.ts'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { limits } from '../../shared/domain/limits.ts'
import { findDatabase, folderOfDatabase } from './database-place.ts'
import { readEnvironment } from './environment.ts'
import { absolute, type Surroundings } from './surroundings.ts'
import { servingOptionList, servingOptions, type Config } from './serving-options.ts'
import type { Option } from './option.ts'

/** Where a value comes from; the first that says something counts (contract 14.1). */
export type Source = 'flag' | 'environment' | 'file' | 'database' | 'default'

export type LoadedConfig = {
  readonly config: Config
  readonly sources: Readonly<Record<keyof Config, Source>>
  /** What is odd but no reason to stop, one sentence each. */
  readonly warnings: readonly string[]
}

export type LoadConfig = Surroundings & {
  /** What the database keeps of `config init` and `config set`, by option name. */
  readonly stored?: Readonly<Record<string, string>>
}

type Said = { readonly text: string; readonly source: Source; readonly from: string }

/** Reads a command line that has no verb. `CallError` for whatever is wrong with it, the environment or the file. */
export function loadConfig(wish: LoadConfig & { readonly argv: readonly string[] }): LoadedConfig {
  const { words, flags } = parseArguments(wish.argv, servingOptionList)
  if (words[0] !== undefined) throw new CallError(`unknown command ${words[0]}`)
  return resolveConfig(flags, wish)
}

/** Puts together what flags, environment, file and database say. Call it again with `stored` once the database is open. */
export function resolveConfig(flags: ReadonlyMap<string, string>, wish: LoadConfig): LoadedConfig {
  const environment = readEnvironment(wish.env, servingOptionList)
  const wanted = flags.get('config') ?? environment.get('config')?.text ?? null
  const { texts, file, warnings } = findConfigurationFile(wish, wanted)
  const stored = wish.stored ?? {}

  function said({ name }: Option): Said | null {
    const [flag, variable, line] = [flags.get(name), environment.get(name), texts.get(name)]
    if (flag !== undefined) return { text: flag, source: 'flag', from: `--${name}` }
    if (variable) return { text: variable.text, source: 'environment', from: variable.variable }
    if (line !== undefined) return { text: line, source: 'file', from: `${file}: ${name}` }
    const kept = stored[name]
    return kept === undefined ? null : { text: kept, source: 'database', from: `stored ${name}` }
  }

  const all = Object.entries(servingOptions as Record<string, Option>).map(([key, option]) => {
    const it = said(option)
    return {
      key,
      said: it,
      value: it ? valueOf(option, it.text, it.from) : option.default,
    }
  })
  const sources = Object.fromEntries(
    all.map(({ key, said }) => [key, said?.source ?? 'default']),
  ) as LoadedConfig['sources']
  const values = Object.fromEntries(all.map(({ key, value }) => [key, value])) as Config
  const { config, oddities } = settle(values, sources, wish)
  return { config, sources, warnings: [...warnings, ...oddities] }
}

/** Paths made absolute, the base path made plain, and what excludes each other judged. */
function settle(values: Config, sources: LoadedConfig['sources'], wish: LoadConfig) {
  const isListening = isSocketMeant(values, sources)
  const inPlace = (path: string) => (path === '' ? '' : absolute(wish.cwd, path))
  const config: Config = {
    ...values,
    configFile: inPlace(values.configFile),
    ...placesOf(values, wish),
    root: absolute(wish.cwd, values.root),
    tokenExpirationTime: Math.min(values.tokenExpirationTime, limits.sessionMs),
    socket: isListening ? inPlace(values.socket) : '',
    cert: inPlace(values.cert),
    key: inPlace(values.key),
    cacheDir: inPlace(values.cacheDir),
    baseURL: basePathOf(values.baseURL),
    log: ['', 'stdout', 'stderr'].includes(values.log) ? values.log : absolute(wish.cwd, values.log),
  }
  return { config, oddities: odditiesOf(values) }
}

/** Longer times than any session has come from the original, whose tokens lasted as long as was wished. */
const odditiesOf = ({ cert, key, tokenExpirationTime }: Config): readonly string[] => [
  ...((cert === '') === (key === '') ? [] : ['TLS is off: it needs cert and key']),
  ...(tokenExpirationTime > limits.sessionMs
    ? ['tokenExpirationTime is 30 days: no session lasts longer, however much it is used']
    : []),
]

/** A database on a server has no place that the server's own files could lie beside: they have a folder. */
function placesOf({ database, stateDir }: Config, wish: LoadConfig): Pick<Config, 'database' | 'stateDir'> {
  const folder = stateDir === '' ? '' : absolute(wish.cwd, stateDir)
  if (isDatabaseAddress(database)) return { database, stateDir: folder || folderOfDatabase(database, wish) }
  return { database: database === '' ? findDatabase(wish) : absolute(wish.cwd, database), stateDir: folder }
}

/** A socket excludes address, port, cert and key; what the database keeps gives way to what is said now. */
function isSocketMeant(values: Config, sources: LoadedConfig['sources']): boolean {
  if (values.socket === '') return false
  const isSaid = (key: keyof Config) =>
    sources[key] !== 'default' && sources[key] !== 'database' && values[key] !== ''
  const rival = (['address', 'port', 'cert', 'key'] as const).find(isSaid)
  if (rival === undefined) return true
  if (!isSaid('socket')) return false
  throw new CallError(`--socket and --${rival} exclude each other`)
}

/** `/fb/`, `fb` and `/fb` are `/fb`; nothing and `/` are nothing (contract 1.3). */
function basePathOf(written: string): string {
  const names = written.split('/').filter((name) => name !== '')
  const isPath = names.every((name) => name !== '.' && name !== '..' && /^[\w.~!$&'()*+,;=:@%-]+$/.test(name))
  if (!isPath) throw new CallError(`--baseURL: "${written}" is not a path such as /files`)
  return names.map((name) => `/${name}`).join('')
}
