import { originalHash } from '../auth/original-hash.ts'
import { printSources } from './settings/config-cat.ts'
import { configCat, configInit, configSet } from './settings/config-verbs.ts'
import { backupState, restoreState } from './backup-verbs.ts'
import { configExport, configImport } from './exchange/config-exchange.ts'
import { usersExport, usersImport } from './exchange/users-exchange.ts'
import { doctor } from './doctor-verb.ts'
import { completionVerbs } from './completion/completion-verbs.ts'
import { hooksAdd, hooksList, hooksRemove } from './lists/hook-verbs.ts'
import { rulesAdd, rulesList, rulesRemove } from './lists/rules-verbs.ts'
import { usersAdd, usersFind, usersList, usersRemove, usersUpdate } from './users/user-verbs.ts'
import { htpasswdImport } from './import/htpasswd-import.ts'
import { quantumImport } from './import/quantum-import.ts'
import { takeover } from './takeover-verb.ts'
import type { CliVerb } from './verb/verb.ts'

const config: CliVerb = {
  name: 'config',
  parameters: [],
  meaning: 'Shows the configuration of serving and the source of each value.',
  options: [],
  worksOn: 'stored options',
  run: async (call) => printSources(call),
}

/** Prints a bcrypt hash, which is File Browser's format. `--password` and both programs accept it. */
const hash: CliVerb = {
  name: 'hash',
  parameters: ['PASSWORD'],
  meaning: 'Prints the hash of a password, for `--password`.',
  options: [],
  worksOn: 'nothing',
  run: async ({ words: [password = ''], print }) => print(await originalHash(password)),
}

const version: CliVerb = {
  name: 'version',
  parameters: [],
  meaning: 'Prints the version.',
  options: [],
  worksOn: 'nothing',
  run: async ({ io, print }) => print(`Stowage v${io.version}`),
}

/** All verbs, in the order in which the help shows them. */
export const verbs: readonly CliVerb[] = [
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
  doctor,
  takeover,
  htpasswdImport,
  quantumImport,
  hash,
  version,
  ...completionVerbs(() => verbs),
]
