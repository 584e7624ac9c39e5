import { defaultSettings, type Settings } from '../../../shared/contract/setting-fields.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { TakeoverReport } from '../../../shared/domain/takeover/takeover-report.ts'
import { valueOf } from '../../config/arguments.ts'
import { toggle } from '../../config/option-kinds.ts'
import { option } from '../../config/option.ts'
import type { Config } from '../../config/serving-options.ts'
import { openRecords } from '../../records/open-records.ts'
import type { AccountImportRequest } from '../../records/port.ts'
import type { User } from '../../records/user-store.ts'
import { reportLines } from '../../takeover/plan/report-lines.ts'
import { withHomeFolders } from '../users/home-folder.ts'
import { findState, prepareState, takeoverLines, withDatabase } from '../verb/prepared-state.ts'
import { hasDatabase, storedOptions } from '../verb/stored-state.ts'
import { plainText } from '../verb/text-table.ts'
import type { VerbCall } from '../verb/verb.ts'

export const dryRun = option({
  name: 'dry-run',
  kind: toggle,
  default: false,
  meaning: 'Only prints what would be imported. Nothing is written.',
})

/** The state of the installation before an import adds to it. */
export type ImportTarget = {
  readonly config: Config
  readonly settings: Settings
  readonly users: readonly User[]
  /** The ids of stored shares in their URLs. */
  readonly shareHashes: ReadonlySet<string>
}

/** The records that an import adds, and its report. */
export type ImportPlan = Omit<AccountImportRequest, 'key'> & {
  readonly report: TakeoverReport
  /** The scopes of new users whose folders are created. A failed import leaves none of these folders behind. */
  readonly homes?: readonly string[]
}

const keyBytes = 64

/**
 * Plans an import, stores the new records in one transaction, and prints the report. A missing database is created. A
 * dry run writes nothing. Callers read the imported file before this call, so an unreadable file creates no database.
 */
export async function runImport(
  call: VerbCall,
  file: string,
  plan: (target: ImportTarget) => Promise<ImportPlan>,
): Promise<void> {
  const isDryRun = valueOf(dryRun, call.flags.get(dryRun.name) ?? 'false', '--dry-run')
  const database = isDryRun ? untouchedDatabase(call) : await preparedDatabase(call)
  const { config } = withDatabase(call.resolve(await storedOptions(database, call.io)), database)
  const { report, homes = [], ...added } = await plan(await targetIn(config, call))
  if (!isDryRun) await withHomeFolders(config, homes, () => store(call, database, added))
  call.print(plainText(isDryRun ? `${file} would be imported into the state` : `${file} is imported`))
  for (const line of reportLines(report)) call.print(line)
  if (isDryRun) call.print('nothing was changed')
}

/** Returns the database for a dry run. Throws `unsupported` for a database that has to be taken over first. */
function untouchedDatabase({ resolve, io }: VerbCall): string {
  const { location, plan } = findState(resolve, io.nowMs)
  if (plan === null) return location.database
  throw new AppError('unsupported', {
    reason: `${location.original} is a database of File Browser; take it over first with: stowage takeover`,
  })
}

/** Returns the path of the database. A database of File Browser is taken over first, as every verb does. */
async function preparedDatabase({ resolve, io }: VerbCall): Promise<string> {
  const { location, takeover } = await prepareState(resolve, io)
  for (const line of takeoverLines(takeover)) io.stderr.write(`${line}\n`)
  return location.database
}

async function targetIn(config: Config, { io }: VerbCall): Promise<ImportTarget> {
  const nothingStored = { config, settings: defaultSettings, users: [], shareHashes: new Set<string>() }
  if (!(await hasDatabase(config.database, io))) return nothingStored
  const records = await openRecords({ database: config.database, nowMs: io.nowMs, ifMissing: 'refuse' })
  try {
    const [settings, users, shares] = [
      await records.settings.get(),
      await records.users.list(),
      await records.shares.list(),
    ]
    return { config, settings, users, shareHashes: new Set(shares.map(({ hash }) => hash)) }
  } finally {
    await records.close()
  }
}

/** Stores the records that an import adds. Without new records, the database is not opened. */
async function store(
  { io }: VerbCall,
  database: string,
  { users, shares }: Omit<AccountImportRequest, 'key'>,
): Promise<void> {
  if (users.length + shares.length === 0) return
  const records = await openRecords({ database, nowMs: io.nowMs, ifMissing: 'make' })
  try {
    await records.addAccounts({ users, shares, key: io.randomBytes(keyBytes) })
  } finally {
    await records.close()
  }
}
