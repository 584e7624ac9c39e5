import { parseArguments } from '../config/arguments.ts'
import { loadConfig, type LoadedConfig } from '../config/load-config.ts'
import { servingOptionList } from '../config/serving-options.ts'
import type { Surroundings } from '../config/surroundings.ts'
import type { ServerRecord } from '../records/port.ts'
import { storableFlags } from './config-verbs.ts'
import { storedState } from './stored-options.ts'

export type ServingConfig = LoadedConfig & {
  /** What a first run keeps of the flags, for starts without them. */
  readonly toStore: ServerRecord
  /** Everybody is the first user: as the database keeps it, or as the first run is told. */
  readonly isWithoutLogin: boolean
}

/** What serving is configured with, the stored options of its database included. `CallError` for a wrong call. */
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
