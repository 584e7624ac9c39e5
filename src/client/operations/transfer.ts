import { childOf, encodePath, isWithin, nameOf, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl } from '../router/router.ts'
import type { ConflictQueue } from '../state/conflict-queue.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { ConflictChoice } from '../state/upload-queue.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { OperationContext } from './operation-context.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { reasonOf, type RefusedEntry } from './reason.ts'
import { settleRowsOf } from './settle-rows.ts'
import type { FolderNamesReader } from './upload-plan.ts'

export type TransferRequest = {
  readonly verb: 'move' | 'copy'
  readonly from: Path
  readonly to: Path
  readonly entries: readonly ListedEntry[]
}

type TransferContext = OperationContext & {
  readonly namesIn: FolderNamesReader
  readonly conflicts: ConflictQueue
}
type TransferStep = { readonly entry: ListedEntry; readonly choice: ConflictChoice | 'free' }

/** The maximum number of concurrent requests, equal to the limit for uploads. */
const maxConcurrentRequests = 5

/**
 * Moves or copies entries into another folder. Asks the user first about all names that already exist there. The open
 * folder stays open.
 */
export async function transferEntries(context: TransferContext, transfer: TransferRequest): Promise<void> {
  try {
    const steps = await planTransfer(context, transfer)
    if (steps.length > 0) await runTransfer(context, transfer, steps)
  } catch (thrown) {
    context.tellFailure(`${t('failed.list')} ${reasonOf(thrown)}`)
  }
}

/**
 * Determines what to do with each entry. Copies into the same folder get a number without asking the user
 * (specification 4).
 */
async function planTransfer(
  { namesIn, conflicts }: TransferContext,
  { verb, from, to, entries }: TransferRequest,
): Promise<TransferStep[]> {
  if (from === to) return verb === 'move' ? [] : entries.map((entry) => ({ entry, choice: 'rename' }))
  const existing = await namesIn(to)
  const taken = entries.filter(({ name }) => existing.has(name))
  const choices = await conflicts.ask(
    taken.map(({ name }) => ({ cause: 'transfer', folder: to, name })),
    taken.length === 0 ? 0 : entries.length,
  )
  if (choices.includes('cancel')) return []
  const choiceOf = new Map(taken.map((entry, at) => [entry, choices[at]]))
  return entries
    .map((entry): TransferStep => ({ entry, choice: choiceOf.get(entry) ?? 'free' }))
    .filter(({ choice }) => choice !== 'skip')
}

async function runTransfer(
  context: TransferContext,
  transfer: TransferRequest,
  steps: readonly TransferStep[],
): Promise<void> {
  const { verb, from, to } = transfer
  const count = steps.length
  const settle = settleRowsOf(context, from)
  if (verb === 'move') context.openAt(from)?.remove(steps.map(({ entry }) => entry.name))
  const outcomes = await withLoadingNotice(
    context,
    t(`working.${verb}`, { count }),
    mapConcurrently(maxConcurrentRequests, steps, (step) => transferOne(context, transfer, step)),
  )
  const refusals = outcomes.filter((outcome) => outcome !== null)
  if (verb === 'move') settle(() => context.openAt(from)?.insert(refusals.map(({ entry }) => entry)))
  context.openAt(to)?.reload()
  if (refusals.length > 0) {
    context.tellFailure(
      t('failed.some', { failed: refusals.length, of: count }),
      refusals.map(({ entry, reason }) => `${entry.name}: ${reason}`),
    )
  } else if (from === to) context.tell(t('done.copy', { count, folder: nameOf(to) || t('sidebar.myFiles') }))
  else {
    context.tell(t(`done.${verb}`, { count, folder: nameOf(to) || t('sidebar.myFiles') }), {
      label: t('buttons.show'),
      run: () => context.go(filesUrl(to, true)),
    })
  }
}

async function transferOne(
  context: OperationContext,
  { verb, from, to }: TransferRequest,
  { entry, choice }: TransferStep,
): Promise<RefusedEntry | null> {
  const [source, destination] = [childOf(from, entry.name), childOf(to, entry.name)]
  if (source === null || destination === null) return { entry, reason: t('reason.bad-name') }
  if (entry.isFolder && isWithin(to, source)) return { entry, reason: t('reason.into-itself') }
  try {
    await context.call('resources.transfer', {
      path: source,
      query: {
        action: verb === 'move' ? 'rename' : 'copy',
        destination: encodePath(destination),
        override: choice === 'overwrite',
        rename: choice === 'rename',
      },
    })
    return null
  } catch (thrown) {
    return { entry, reason: reasonOf(thrown) }
  }
}
