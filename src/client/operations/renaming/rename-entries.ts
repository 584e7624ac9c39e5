import { childOf, encodePath, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import type { OperationContext } from '../operation-context.ts'
import { withLoadingNotice } from '../loading-notice.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { reasonOf } from '../reason.ts'
import { beginRowOperation } from '../begin-row-operation.ts'
import { notifyRefusals } from '../outcomes/notify-refusals.ts'
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
 * refuses keep their names, stay selected and show the reasons. Entries that exchange their names keep all of them when
 * one step is refused. Nothing is ever replaced.
 */
export async function renameEntries(
  context: OperationContext,
  { folder, entries }: BatchRenameRequest,
): Promise<void> {
  const settle = beginRowOperation(context, folder)
  const rows = context.openAt(folder)
  rows?.showFailures([])
  const groups = renameStepsOf(
    entries.map(({ entry, to }) => ({ from: entry.name, to })),
    (name) => rows?.has(name) ?? false,
  )
  const failures = new Map<string, StepFailure>()
  await withLoadingNotice(
    context,
    t('working.rename', { count: entries.length }),
    mapConcurrently(maxConcurrentRequests, groups, (group) => runSteps(context, { folder, group, failures })),
  )
  settle(() => {})
  const refused = entries.flatMap(({ entry, to }) => {
    const failure = failures.get(entry.name)
    if (failure === undefined || failure.name === to) return []
    return { entry: { ...entry, name: failure.name }, to, reason: failure.reason }
  })
  const refusals = refused.map(({ entry, reason }) => ({ entry, reason }))
  context.openAt(folder)?.showFailures(refusals)
  if (refusals.length === 0) return context.notify(t('done.rename', { count: entries.length }))
  notifyRefusals(context, {
    refusals,
    total: entries.length,
    retry: () => void renameEntries(context, { folder, entries: refused }),
  })
}

/** The reason of a refusal, and the name that the entry has on the server afterwards. */
type StepFailure = { readonly reason: string; readonly name: string }

type StepGroup = {
  readonly folder: Path
  readonly group: readonly RenameStep[]
  /** Receives the failure of each entry that does not have its new name, by its old name. */
  readonly failures: Map<string, StepFailure>
}

/** Runs steps in their order. When a step of entries that exchange their names is refused, the earlier ones are undone. */
async function runSteps(context: OperationContext, { folder, group, failures }: StepGroup): Promise<void> {
  const isExchange = group.some(({ from, entry }) => from !== entry)
  const done: RenameStep[] = []
  for (const step of group) {
    const reason = await runStep(context, folder, step)
    if (reason === null) done.push(step)
    else if (!isExchange) failures.set(step.entry, { reason, name: step.from })
    else {
      for (const { entry } of group) failures.set(entry, { reason, name: entry })
      return undo(context, { folder, group: done, failures })
    }
  }
}

/** Undoes steps, the last one first. An entry for which this is refused keeps the name that it has now. */
async function undo(context: OperationContext, { folder, group, failures }: StepGroup): Promise<void> {
  for (const { entry, from, to } of group.toReversed()) {
    const reason = await runStep(context, folder, { entry, from: to, to: from })
    if (reason !== null) failures.set(entry, { reason, name: to })
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
