import { resolve } from 'node:path'
import { isDatabaseUrl, redactedDatabase } from '../../shared/domain/database-url.ts'
import { machineFindings } from '../../shared/domain/doctor/machine-findings.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { valueOf } from '../config/arguments.ts'
import { absolute } from '../config/config-environment.ts'
import { text, toggle } from '../config/option-kinds.ts'
import { option } from '../config/option.ts'
import { checkAdvisories } from '../machine-checks/check-advisories.ts'
import { checkMachine, type FoundOnMachine } from '../machine-checks/check-machine.ts'
import { databaseFacts, type DatabaseFacts } from '../records/file/database-facts.ts'
import { deepCheck } from '../machine-checks/deep-check.ts'
import { machineFacts } from '../machine-checks/machine-facts.ts'
import { usualBackups } from '../machine-checks/newest-backup.ts'
import { removeLeftFolders } from '../machine-checks/private-folder.ts'
import { atSignal } from './verb/at-signal.ts'
import { findState } from './verb/prepared-state.ts'
import { plainText } from './verb/text-table.ts'
import type { CliVerb, VerbCall } from './verb/verb.ts'

const deep = option({
  name: 'deep',
  kind: toggle,
  default: false,
  meaning: 'Also restores the newest backup into a temporary folder, and compares it with the state.',
})

const backups = option({
  name: 'backups',
  kind: text,
  default: '',
  meaning: 'The folder of the backups, for `--deep`. By default, the folder of the database.',
})

/** Checks the machine. The way of requests is measured by the page "Diagnosis" of administrators. */
export const doctor: CliVerb = {
  name: 'doctor',
  parameters: [],
  meaning: 'Checks files, disks, limits and the database, and prints what to do; nothing is repaired.',
  options: [deep, backups],
  worksOn: 'nothing',
  run: examine,
}

async function examine(call: VerbCall): Promise<void> {
  const { io, print } = call
  const { databaseFile, refusals } = findDatabaseFile(call)
  if (databaseFile !== null) removeLeftFolders(databaseFile)
  const address = call.resolve({}).config.database
  const database = databaseFile === null ? await factsOnServer(address) : databaseFacts(databaseFile)
  const { config, cwd } = call.resolve(database.options)
  const facts = await machineFacts({
    nowMs: io.nowMs(),
    root: absolute(cwd, config.root),
    databaseFile,
    database,
    databaseName: redactedDatabase(databaseFile ?? address),
    secretFiles: [config.key, config.configFile].filter((file) => file !== ''),
  })
  const found = [
    ...refusals,
    ...checkMachine(facts),
    ...(await checkAdvisories({ ...config, database: databaseFile ?? config.database }, io.version)),
  ]
  if (databaseFile === null) print('the content of the database is checked by the programs of PostgreSQL')
  else if (isSet(call, deep.name) && database.kind === 'usable')
    found.push(...(await examineBackup(call, databaseFile)))
  for (const finding of found) printFinding(print, finding)
  if (found.length > 0)
    throw new AppError('bad-request', {
      reason: found.length === 1 ? 'one thing needs attention' : `${found.length} things need attention`,
    })
  print('nothing is wrong')
}

/** The PostgreSQL client is loaded only when a PostgreSQL database is used. */
async function factsOnServer(address: string): Promise<DatabaseFacts> {
  const { postgresFacts } = await import('../records/postgres/postgres-facts.ts')
  return postgresFacts(address)
}

const isSet = ({ flags }: VerbCall, name: string): boolean =>
  valueOf(deep, flags.get(name) ?? 'false', `--${name}`)

/** Restores the newest backup, and says which one it was. */
async function examineBackup(call: VerbCall, databaseFile: string): Promise<readonly FoundOnMachine[]> {
  const { io, print, flags } = call
  const named = flags.get(backups.name) ?? ''
  const folder = named === '' ? usualBackups(databaseFile) : resolve(io.cwd, named)
  const { restored, isCompared, found } = await deepCheck({
    databaseFile,
    backups: folder,
    nowMs: io.nowMs,
    atSignal,
  })
  const comparison = isCompared
    ? ' and compared'
    : '; the next start migrates the state, so it was not compared'
  if (restored !== null) print(plainText(`${restored} was restored into a temporary folder${comparison}`))
  return found
}

/**
 * Returns the file of the database, or null for a database on a server. A state that the next start would refuse is a
 * finding here, and the file is examined all the same.
 */
function findDatabaseFile({ resolve: resolveState, io }: VerbCall): {
  readonly databaseFile: string | null
  readonly refusals: readonly FoundOnMachine[]
} {
  const { database } = resolveState({}).config
  if (isDatabaseUrl(database)) return { databaseFile: null, refusals: [] }
  try {
    return { databaseFile: findState(resolveState, io.nowMs).location.database, refusals: [] }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return {
      databaseFile: database,
      refusals: [{ code: 'state-refused', subject: thrown.reason ?? thrown.code }],
    }
  }
}

function printFinding(print: (line: string) => void, { code, subject }: FoundOnMachine): void {
  const { severity, sentence, remedy } = machineFindings[code]
  print(plainText(`${severity}: ${code}: ${subject}`))
  print(`  ${sentence}`)
  print(`  ${remedy.replaceAll('`', '')}`)
  print(`  docs/doctor.md#${code}`)
}
