import { redactedDatabase } from '../../shared/domain/database-url.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { valueOf } from '../config/arguments.ts'
import { toggle } from '../config/option-kinds.ts'
import { option } from '../config/option.ts'
import { openRecords } from '../records/open-records.ts'
import { isDiskDoubtful } from '../takeover/plan/presence.ts'
import { reportLines } from '../takeover/plan/report-lines.ts'
import type { StateLocation } from '../takeover/state-location.ts'
import { diskQuestion, findState, prepareState } from './verb/prepared-state.ts'
import { plainText } from './verb/text-table.ts'
import type { CliVerb, VerbCall } from './verb/verb.ts'

const dryRun = option({
  name: 'dry-run',
  kind: toggle,
  default: false,
  meaning: 'Only prints what would be taken over. Nothing is written.',
})

const allowMissing = option({
  name: 'allow-missing',
  kind: toggle,
  default: false,
  meaning: 'Takes over even when most folders and shared files are missing, as without their disk.',
})

/** Takes over the database of File Browser, which the first start does as well. */
export const takeover: CliVerb = {
  name: 'takeover',
  parameters: [],
  meaning: 'Takes over a database of File Browser and prints the report; the first start does so, too.',
  options: [dryRun, allowMissing],
  worksOn: 'nothing',
  run: runTakeover,
}

async function runTakeover(call: VerbCall): Promise<void> {
  const { flags, io, print, resolve } = call
  const isDryRun = valueOf(dryRun, flags.get(dryRun.name) ?? 'false', '--dry-run')
  const allowsMissing = valueOf(allowMissing, flags.get(allowMissing.name) ?? 'false', '--allow-missing')
  const { location, plan } = findState(resolve, io.nowMs)
  const { original, database, status } = location
  if (status === 'taken-over') return printFormerReport(call, location)
  if (plan === null || original === null)
    throw new AppError('not-found', {
      reason: `there is no database of File Browser at ${redactedDatabase(database)}`,
    })
  if (isDryRun) {
    print(plainText(`${original} would be taken over into ${database}`))
    const { report, presence } = await plan()
    if (isDiskDoubtful(presence)) print(plainText(diskQuestion(presence, original)))
    for (const line of reportLines(report)) print(line)
    print('nothing was changed')
    return
  }
  const { takeover: outcome } = await prepareState(resolve, io, { allowsMissing })
  print(plainText(`${original} is taken over into ${database}`))
  if (outcome !== null) for (const line of reportLines(outcome.report)) print(line)
}

async function printFormerReport({ io, print }: VerbCall, { database }: StateLocation): Promise<void> {
  const records = await openRecords({ database, nowMs: io.nowMs, ifMissing: 'refuse' })
  try {
    const record = await records.settings.takeover()
    print(plainText(`${database} is the state already`))
    if (record === null) return
    print(`it was taken over on ${new Date(record.atMs).toISOString()}`)
    for (const line of reportLines(record.report)) print(line)
  } finally {
    await records.close()
  }
}
