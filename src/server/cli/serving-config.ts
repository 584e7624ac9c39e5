import { parseArguments } from '../config/arguments.ts'
import { loadConfig, type LoadedConfig } from '../config/load-config.ts'
import { servingOptionList } from '../config/serving-options.ts'
import type { ConfigEnvironment } from '../config/surroundings.ts'
import type { StoredServingOptions } from '../records/port.ts'
import { storableFlags } from './settings/config-verbs.ts'
import { storedState } from './verb/stored-state.ts'

export type ServingConfig = LoadedConfig & {
  /** The options from the command line that a first run stores, so that they also apply to later starts. */
  readonly toStore: StoredServingOptions
  /**
   * True when every visitor is the first user. The value comes from the database, or on a first run from the
   * configuration.
   */
  readonly isWithoutLogin: boolean
}

/**
 * Returns the configuration of serving, including the options that are stored in the database. Throws a `UsageError`
 * for an invalid command line.
 */
export async function servingConfig(
  argv: readonly string[],
  surroundings: ConfigEnvironment,
  nowMs: () => number,
): Promise<ServingConfig> {
  const { database } = loadConfig({ ...surroundings, argv }).config
  const { options: stored, isWithoutLogin } = await storedState(database, { nowMs })
  const { flags } = parseArguments(argv, servingOptionList)
  const loaded = loadConfig({ ...surroundings, argv, stored })
  return {
    ...loaded,
    toStore: storableFlags(flags),
    isWithoutLogin: isWithoutLogin ?? loaded.config.noauth,
  }
}
