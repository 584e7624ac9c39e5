import { originalHash } from '../auth/original-hash.ts'
import { printSources } from './config-cat.ts'
import { configCat, configInit, configSet } from './config-verbs.ts'
import { backupState, restoreState } from './backups/backup-verbs.ts'
import { configExport, configImport } from './exchange/config-exchange.ts'
import { usersExport, usersImport } from './exchange/users-exchange.ts'
import { completionVerbs } from './help/completion-verbs.ts'
import { hooksAdd, hooksList, hooksRemove } from './lists/hook-verbs.ts'
import { rulesAdd, rulesList, rulesRemove } from './lists/rules-verbs.ts'
import { usersAdd } from './users-add.ts'
import { usersFind, usersList, usersRemove } from './users-show.ts'
import { usersUpdate } from './users-update.ts'
import type { Verb } from './verb.ts'

const config: Verb = {
  name: 'config',
  takes: [],
  meaning: 'Shows what serving is configured with, and where each value comes from.',
  options: [],
  on: 'stored options',
  run: async (call) => printSources(call),
}

/** In the original's form, which `--password` and both programs understand. */
const hash: Verb = {
  name: 'hash',
  takes: ['PASSWORD'],
  meaning: 'Prints the hash of a password, for `--password`.',
  options: [],
  on: 'nothing',
  run: async ({ words: [password = ''], print }) => print(await originalHash(password)),
}

const version: Verb = {
  name: 'version',
  takes: [],
  meaning: 'Prints the version.',
  options: [],
  on: 'nothing',
  run: async ({ io, print }) => print(`Stowage v${io.version}`),
}

/** In the order in which the help shows them. */
export const verbs: readonly Verb[] = [
  config,
  configInit,
  configSet,
  configCat,
  configExport,
  configImport,
  usersAdd,
  usersUpdate,
  usersRemove,
  usersFind,
  usersList,
  usersExport,
  usersImport,
  rulesAdd,
  rulesRemove,
  rulesList,
  hooksAdd,
  hooksRemove,
  hooksList,
  backupState,
  restoreState,
  hash,
  version,
  ...completionVerbs(() => verbs),
]
