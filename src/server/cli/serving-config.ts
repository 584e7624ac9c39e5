import { parseArguments } from '../config/arguments.ts'
import { loadConfig, type LoadedConfig } from '../config/load-config.ts'
import { servingOptionList } from '../config/serving-options.ts'
import type { Surroundings } from '../config/surroundings.ts'
import type { ServerRecord } from '../records/port.ts'
import { storableFlags } from './settings/config-verbs.ts'
import { storedState } from './verb/stored-state.ts'

export type ServingConfig = LoadedConfig & {
  /** The flags that a first run stores for later starts without them. */
  readonly toStore: ServerRecord
  /** True where every visitor is the first user: as the database says, or as the flags say on a first run. */
  readonly isWithoutLogin: boolean
}

/**
 * Returns the configuration of serving, including the options that the database stores. Throws a `UsageError` for a
 * wrong call.
 */
export async function servingConfig(
  argv: readonly string[],
  surroundings: Surroundings,
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
