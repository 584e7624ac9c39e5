import { parseArguments, valueOf } from './arguments.ts'
import { UsageError } from './usage-error.ts'
import { findConfigurationFile } from './configuration-file.ts'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { limits } from '../../shared/domain/limits.ts'
import { findDatabase, folderOfDatabase } from './state-paths.ts'
import { readEnvironment } from './environment.ts'
import { absolute, type ConfigEnvironment } from './config-environment.ts'
import { servingOptionList, servingOptions, type Config } from './serving-options.ts'
import type { Option } from './option.ts'

/**
 * The source of an option's value, in order of precedence: a flag overrides the environment, and so on (contract 14.1).
 */
export type ConfigSource = 'flag' | 'environment' | 'file' | 'database' | 'default'

/** A complete configuration, and the source of each value. */
export type LoadedConfig = {
  readonly config: Config
  readonly sources: Readonly<Record<keyof Config, ConfigSource>>
  /** The working directory, against which relative paths are resolved. */
  readonly cwd: string
  /** The path of the configuration file that was read; empty when there is none. */
  readonly configurationFile: string
  /** The keys of the configuration file that name no option. */
  readonly ignoredKeys: readonly string[]
  /** Warnings for the log about settings that are valid but unusual. */
  readonly warnings: readonly string[]
}

/** The inputs of the configuration besides the command line. */
export type ConfigInputs = ConfigEnvironment & {
  /** The values that `config init` and `config set` stored in the database, by option name. */
  readonly stored?: Readonly<Record<string, string>>
}

/** The unparsed text of an option. `from` names the source of the text in error messages. */
type OptionText = { readonly text: string; readonly source: ConfigSource; readonly from: string }

/**
 * Loads the configuration for a command line without a verb. Throws `UsageError` when the command line, the environment
 * or the configuration file is not valid.
 */
export function loadConfig(inputs: ConfigInputs & { readonly argv: readonly string[] }): LoadedConfig {
  const { words, flags } = parseArguments(inputs.argv, servingOptionList)
  if (words[0] !== undefined) throw new UsageError(`unknown command ${words[0]}`)
  return resolveConfig(flags, inputs)
}

/**
 * Combines flags, environment, configuration file and stored values. Callers call it again with `stored` once the
 * database is open.
 */
export function resolveConfig(flags: ReadonlyMap<string, string>, inputs: ConfigInputs): LoadedConfig {
  const environment = readEnvironment(inputs.env, servingOptionList)
  const requestedFile = flags.get('config') ?? environment.get('config')?.text ?? null
  const { texts, file, ignoredKeys, warnings } = findConfigurationFile(inputs, requestedFile)
  const stored = inputs.stored ?? {}

  function textOf({ name }: Option): OptionText | null {
    const [flag, variable, line] = [flags.get(name), environment.get(name), texts.get(name)]
    if (flag !== undefined) return { text: flag, source: 'flag', from: `--${name}` }
    if (variable) return { text: variable.text, source: 'environment', from: variable.variable }
    if (line !== undefined) return { text: line, source: 'file', from: `${file}: ${name}` }
    const storedText = stored[name]
    return storedText === undefined ? null : { text: storedText, source: 'database', from: `stored ${name}` }
  }

  const resolved = Object.entries(servingOptions as Record<string, Option>).map(([key, option]) => {
    const given = textOf(option)
    return {
      key,
      source: given?.source ?? ('default' as const),
      value: given ? valueOf(option, given.text, given.from) : option.default,
    }
  })
  const sources = Object.fromEntries(
    resolved.map(({ key, source }) => [key, source]),
  ) as LoadedConfig['sources']
  const values = Object.fromEntries(resolved.map(({ key, value }) => [key, value])) as Config
  const { config, configWarnings } = normaliseConfig(values, sources, inputs)
  return {
    config,
    sources,
    cwd: inputs.cwd,
    configurationFile: file,
    ignoredKeys,
    warnings: [...warnings, ...configWarnings],
  }
}

/** Makes paths absolute, normalises the base path, and checks options that cannot be used together. */
function normaliseConfig(values: Config, sources: LoadedConfig['sources'], inputs: ConfigInputs) {
  const usesSocket = isSocketUsed(values, sources)
  const absoluteOrEmpty = (path: string) => (path === '' ? '' : absolute(inputs.cwd, path))
  const { paths, unused } = databasePaths(values, inputs)
  const config: Config = {
    ...values,
    configFile: absoluteOrEmpty(values.configFile),
    ...paths,
    root: absolute(inputs.cwd, values.root),
    tokenExpirationTime: Math.min(values.tokenExpirationTime, limits.sessionMs),
    socket: usesSocket ? absoluteOrEmpty(values.socket) : '',
    cert: absoluteOrEmpty(values.cert),
    key: absoluteOrEmpty(values.key),
    cacheDir: absoluteOrEmpty(values.cacheDir),
    baseURL: basePathOf(values.baseURL),
    log: logTargetOf(values.log, inputs.cwd),
    auditLog: logTargetOf(values.auditLog, inputs.cwd),
  }
  const unusedWarnings =
    unused === null
      ? []
      : [`the state ${config.database} is used, and not ${unused}; name the latter with -d to take it over`]
  return { config, configWarnings: [...warningsAbout(values, sources), ...unusedWarnings] }
}

/** Returns the target of a log, with an absolute path when it is a file. */
const logTargetOf = (target: string, cwd: string): string =>
  ['', 'stdout', 'stderr'].includes(target) ? target : absolute(cwd, target)

/**
 * Returns warnings about the values. A token lifetime above the maximum comes from a configuration of File Browser, which had no maximum.
 */
const warningsAbout = (
  { baseURL, cert, key, tokenExpirationTime, ...others }: Config,
  sources: LoadedConfig['sources'],
): readonly string[] => [
  ...(isWebAddress(baseURL)
    ? [`baseURL is a path: of ${baseURL}, only the path "${basePathOf(baseURL)}" counts`]
    : []),
  ...((cert === '') === (key === '') ? [] : ['TLS is off: it needs cert and key']),
  ...(tokenExpirationTime > limits.sessionMs
    ? ['tokenExpirationTime is 30 days: no session lasts longer, however much it is used']
    : []),
  ...optionsWithoutEffect
    .filter((name) => others[name] !== servingOptions[name].default && sources[name] !== 'database')
    .map((name) => `${name} has no effect, and can be removed`),
]

/**
 * Options of File Browser that are accepted and have no effect. A value in a database was usually taken over from File Browser, so it
 * causes no warning.
 */
const optionsWithoutEffect = ['redisCacheUrl', 'disableImageResolutionCalc'] as const

/**
 * Returns the absolute paths of the database and of the state folder. A database on a database server has no path, so
 * the other files of this installation get a state folder in that case. `unused` is a database of File Browser that gives way
 * to the state.
 */
function databasePaths(
  { database, stateDir }: Config,
  inputs: ConfigInputs,
): { readonly paths: Pick<Config, 'database' | 'stateDir'>; readonly unused: string | null } {
  const folder = stateDir === '' ? '' : absolute(inputs.cwd, stateDir)
  if (isDatabaseUrl(database))
    return { paths: { database, stateDir: folder || folderOfDatabase(database, inputs) }, unused: null }
  const { file, unused } =
    database === '' ? findDatabase(inputs) : { file: absolute(inputs.cwd, database), unused: null }
  return { paths: { database: file, stateDir: folder }, unused }
}

/**
 * Returns true when the server listens on a unix socket. A socket excludes address, port, cert and key. A value that is
 * stored in the database gives way to a value from the command line, the environment or the file.
 */
function isSocketUsed(values: Config, sources: LoadedConfig['sources']): boolean {
  if (values.socket === '') return false
  const isGivenNow = (key: keyof Config) =>
    sources[key] !== 'default' && sources[key] !== 'database' && values[key] !== ''
  const rival = (['address', 'port', 'cert', 'key'] as const).find(isGivenNow)
  if (rival === undefined) return true
  if (!isGivenNow('socket')) return false
  throw new UsageError(`--socket and --${rival} cannot be used together`)
}

const isWebAddress = (written: string): boolean => /^https?:\/\//i.test(written)

/**
 * Normalises the base path: `/fb/`, `fb` and `/fb` become `/fb`, an empty text and `/` become empty (contract 1.3). The
 * name of the option leads people to enter a whole address, of which only the path is used.
 */
function basePathOf(written: string): string {
  const path = isWebAddress(written) ? written.replace(/^https?:\/\/[^/?#]*/i, '') : written
  const names = path.split('/').filter((name) => name !== '')
  const isPath = names.every((name) => name !== '.' && name !== '..' && /^[\w.~!$&'()*+,;=:@%-]+$/.test(name))
  if (!isPath) throw new UsageError(`--baseURL: "${written}" is not a path such as /files`)
  return names.map((name) => `/${name}`).join('')
}
