import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { AppError } from '../../shared/domain/failure.ts'
import { valueOf } from '../config/arguments.ts'
import { toggle } from '../config/option-kinds.ts'
import { option } from '../config/option.ts'
import { isDatabaseFile, isSqliteFile } from '../records/file/database-file.ts'
import { restoreRecords } from '../records/restore.ts'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { isBoltFile } from '../takeover/original/original-file.ts'
import { findState } from './verb/prepared-state.ts'
import { hasDatabase } from './verb/stored-state.ts'
import type { VerbCall, VerbCallWithRecords, CliVerb } from './verb/verb.ts'

const force = option({
  name: 'force',
  kind: toggle,
  default: false,
  meaning: 'Replaces an existing file or database.',
})

const isForced = ({ flags }: VerbCall): boolean => valueOf(force, flags.get('force') ?? 'false', '--force')

export const backupState: CliVerb = {
  name: 'backup',
  parameters: ['FILE'],
  meaning: 'Writes the whole state to a file, also while the server runs. Served files are not included.',
  options: [force],
  worksOn: 'database',
  run: backUp,
}

export const restoreState: CliVerb = {
  name: 'restore',
  parameters: ['FILE'],
  meaning: 'Replaces the database by a backup; everybody has to log in again.',
  options: [force],
  worksOn: 'nothing',
  run: restore,
}

async function backUp(call: VerbCallWithRecords): Promise<void> {
  const { fileOperations } = call.records
  if (fileOperations === null) throw runOnServer()
  const [name = ''] = call.words
  const file = resolve(call.io.cwd, name)
  if (isDatabaseFile(file, call.loaded.config.database))
    throw new AppError('bad-request', { reason: 'a backup cannot overwrite its own database' })
  if (isBoltFile(file))
    throw new AppError('bad-request', { reason: 'a backup cannot overwrite a database of File Browser' })
  if (existsSync(file) && !isForced(call))
    throw new AppError('name-taken', { reason: `${name} exists already; --force replaces it` })
  await fileOperations.copyTo(file)
  call.print(`the state was written to ${file}`)
}

/** Restores a backup. The former database is kept as `<database>.before-restore`. */
async function restore(call: VerbCall): Promise<void> {
  const { io, loaded, resolve: resolveState, words, print } = call
  const [name = ''] = words
  const from = resolve(io.cwd, name)
  if (isDatabaseUrl(loaded.config.database)) throw runOnServer()
  const { location, accepts } = findState(resolveState, io.nowMs)
  const file = location.database
  if (isDatabaseFile(from, file))
    throw new AppError('bad-request', { reason: 'the database cannot be restored from itself' })
  if (!existsSync(from)) throw new AppError('not-found', { reason: `there is no file ${name}` })
  if (isSqliteFile(from) && !accepts(from))
    throw new AppError('unsupported', {
      reason: `${name} was not made from ${location.original}, so the next start would refuse it; name the database to restore it to with -d`,
    })
  const isThere = await hasDatabase(file, io)
  if (isThere && !isForced(call))
    throw new AppError('name-taken', { reason: `a database exists already: ${file}; --force replaces it` })
  const kept = `${file}.before-restore`
  await restoreRecords({ from, file, formerCopy: isThere ? kept : null, nowMs: io.nowMs })
  print(`${file} was restored from ${from}; everybody has to log in again`)
  if (isThere) print(`the previous database is kept as ${kept}; restart a running server`)
}

const runOnServer = (): AppError =>
  new AppError('unsupported', {
    reason: 'the state is in PostgreSQL, whose own programs copy it: pg_dump and pg_restore',
  })
