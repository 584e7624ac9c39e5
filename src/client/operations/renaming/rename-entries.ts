import { childOf, encodePath, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import type { OperationContext } from '../operation-context.ts'
import { withLoadingNotice } from '../loading-notice.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { reasonOf } from '../reason.ts'
import { settleRowsOf } from '../settle-rows.ts'
import { tellRefusals } from '../tell-refusals.ts'
import { renameStepsOf, type RenameStep } from './rename-steps.ts'

export type BatchRenameRequest = {
  readonly folder: Path
  /** The entries that change their names. All new names are different and allowed. */
  readonly entries: readonly { readonly entry: ListedEntry; readonly to: string }[]
}

/** The maximum number of concurrent requests, as for other operations on several entries. */
const maxConcurrentRequests = 5

/**
 * Renames several entries of a folder. A row changes when the server has renamed its entry. Entries that the server
 * refuses keep their names, stay selected and show the reasons. Nothing is ever replaced.
 */
export async function renameEntries(
  context: OperationContext,
  { folder, entries }: BatchRenameRequest,
): Promise<void> {
  const settle = settleRowsOf(context, folder)
  const rows = context.openAt(folder)
  rows?.showFailures([])
  const groups = renameStepsOf(
    entries.map(({ entry, to }) => ({ from: entry.name, to })),
    (name) => rows?.has(name) ?? false,
  )
  const reasons = new Map<string, string>()
  await withLoadingNotice(
    context,
    t('working.rename', { count: entries.length }),
    mapConcurrently(maxConcurrentRequests, groups, (group) => runSteps(context, { folder, group, reasons })),
  )
  settle(() => {})
  const refusals = entries.flatMap(({ entry }) => {
    const reason = reasons.get(entry.name)
    return reason === undefined ? [] : [{ entry, reason }]
  })
  context.openAt(folder)?.showFailures(refusals)
  if (refusals.length === 0) return context.tell(t('done.rename', { count: entries.length }))
  const refused = entries.filter(({ entry }) => reasons.has(entry.name))
  tellRefusals(context, {
    refusals,
    of: entries.length,
    retry: () => void renameEntries(context, { folder, entries: refused }),
  })
}

type StepGroup = {
  readonly folder: Path
  readonly group: readonly RenameStep[]
  /** Receives the first reason for each entry that was refused. */
  readonly reasons: Map<string, string>
}

/** Runs steps in their order. An entry with a name in between gets its old name back if its last step is refused. */
async function runSteps(context: OperationContext, { folder, group, reasons }: StepGroup): Promise<void> {
  for (const step of group) {
    if (reasons.has(step.entry)) continue
    const reason = await runStep(context, folder, step)
    if (reason === null) continue
    reasons.set(step.entry, reason)
    if (step.from !== step.entry) await runStep(context, folder, { ...step, to: step.entry })
  }
}

/** Renames one entry and its row. Returns the reason of a refusal, or null. */
async function runStep(
  context: OperationContext,
  folder: Path,
  { from, to }: RenameStep,
): Promise<string | null> {
  const [source, destination] = [childOf(folder, from), childOf(folder, to)]
  if (source === null || destination === null) return t('reason.bad-name')
  try {
    // The destination is percent-encoded twice (contract 3.8): here, and again as a part of the query.
    await context.call('resources.transfer', {
      path: source,
      query: { action: 'rename', destination: encodePath(destination) },
    })
    context.openAt(folder)?.rename(from, to)
    return null
  } catch (thrown) {
    return reasonOf(thrown)
  }
}
