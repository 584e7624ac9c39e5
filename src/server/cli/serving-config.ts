import { redactedDatabase } from '../../shared/domain/database-url.ts'
import { parseArguments } from '../config/arguments.ts'
import { brandingWarnings } from '../config/branding-warnings.ts'
import { databaseWarnings } from '../config/database-warnings.ts'
import { loadConfig, type LoadedConfig } from '../config/load-config.ts'
import { servingOptionList } from '../config/serving-options.ts'
import type { ConfigEnvironment } from '../config/config-environment.ts'
import type { DatabaseOptions } from '../records/database-options.ts'
import type { StoredServingOptions } from '../records/settings.ts'
import type { StateLocation } from '../takeover/state-location.ts'
import type { TakeoverDependencies } from '../takeover/take-over.ts'
import { ignoredKeyWarnings } from './settings/ignored-keys.ts'
import { withAbsolutePaths } from '../config/stored-paths.ts'
import { storableFlags } from './settings/config-verbs.ts'
import { prepareState, takeoverLines, withDatabase, type ConfigResolver } from './verb/prepared-state.ts'
import { hasDatabase, storedState } from './verb/stored-state.ts'

export type ServingConfig = LoadedConfig & {
  /** The options from the command line that a first run stores, so that they also apply to later starts. */
  readonly toStore: StoredServingOptions
  /**
   * True when every visitor is the first user. The value comes from the database, or on a first run from the
   * configuration.
   */
  readonly isWithoutLogin: boolean
  /** True when a proxy tells who a visitor is. */
  readonly isProxyLogin: boolean
  /** The database of File Browser from which the state was taken over; null when there is none. */
  readonly original: string | null
  /** Lines for the log about the database. */
  readonly notices: readonly string[]
}

/**
 * Returns the serving configuration, including the options that are stored in the database. Throws a `UsageError` for
 * an invalid command line.
 */
export async function servingConfig(
  argv: readonly string[],
  environment: ConfigEnvironment,
  dependencies: TakeoverDependencies & Pick<DatabaseOptions, 'migrationWait'>,
): Promise<ServingConfig> {
  const resolve: ConfigResolver = (stored) => loadConfig({ ...environment, argv, stored })
  const { location, takeover } = await prepareState(resolve, dependencies)
  const isNew = !(await hasDatabase(location.database, dependencies))
  const {
    options: stored,
    isWithoutLogin,
    isProxyLogin,
    loginObstacle,
    brandingFolder,
  } = await storedState(location.database, dependencies)
  const { flags } = parseArguments(argv, servingOptionList)
  const loaded = withDatabase(resolve(stored), location.database)
  return {
    ...loaded,
    original: location.original,
    notices: [...takeoverLines(takeover), ...databaseNotice(loaded, location, isNew)],
    warnings: [
      ...loaded.warnings,
      ...ignoredKeyWarnings(loaded, environment.env),
      ...databaseWarnings(location.database),
      ...brandingWarnings(brandingFolder),
      ...(loginObstacle === null ? [] : [loginObstacle]),
    ],
    toStore: storableFlags(withAbsolutePaths(flags, environment.cwd)),
    isWithoutLogin: isWithoutLogin ?? loaded.config.noauth,
    isProxyLogin,
  }
}

/**
 * Returns the log line that names the database when it is created, when the configuration names none, or when the
 * configuration names one that was taken over.
 */
function databaseNotice(
  { sources }: LoadedConfig,
  { database, status }: StateLocation,
  isNew: boolean,
): readonly string[] {
  if (isNew) return [`There is no database yet; a new one is created: ${redactedDatabase(database)}`]
  return sources.database === 'default' || status === 'taken-over' ? [`The database is ${database}`] : []
}
