import {
  childOf,
  encodePath,
  isWithin,
  nameOf,
  parsePath,
  root,
  type Path,
} from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl } from '../router/router.ts'
import type { ConflictQueue } from '../state/conflict-queue.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { RefusedEntry } from '../state/open-folder.ts'
import type { ConflictChoice } from '../state/upload-queue.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { OperationContext } from './operation-context.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { reasonOf } from './reason.ts'
import { settleRowsOf } from './settle-rows.ts'
import type { FolderNamesReader } from './upload-plan.ts'

export type TransferRequest = {
  readonly verb: 'move' | 'copy'
  readonly from: Path
  readonly to: Path
  readonly entries: readonly ListedEntry[]
}

export type TransferContext = OperationContext & {
  readonly namesIn: FolderNamesReader
  readonly conflicts: ConflictQueue
}
type TransferStep = { readonly entry: ListedEntry; readonly choice: ConflictChoice | 'free' }

/** The maximum number of concurrent requests, equal to the limit for uploads. */
const maxConcurrentRequests = 5

/**
 * Moves or copies entries into another folder. Asks the user first about all names that already exist there. The open
 * folder stays open. Returns false when nothing was sent, because the user cancelled or the folder could not be read.
 */
export async function transferEntries(context: TransferContext, transfer: TransferRequest): Promise<boolean> {
  try {
    const steps = await planTransfer(context, transfer)
    if (steps === null) return false
    if (steps.length > 0) await runTransfer(context, transfer, steps)
    return true
  } catch (thrown) {
    context.tellFailure(`${t('failed.list')} ${reasonOf(thrown)}`)
    return false
  }
}

/**
 * Determines what to do with each entry. Copies into the same folder get a number without asking the user
 * (specification 4). Returns null when the user cancels.
 */
async function planTransfer(
  { namesIn, conflicts }: TransferContext,
  { verb, from, to, entries }: TransferRequest,
): Promise<TransferStep[] | null> {
  if (from === to) return verb === 'move' ? [] : entries.map((entry) => ({ entry, choice: 'rename' }))
  const existing = await namesIn(to)
  const taken = entries.filter(({ name }) => existing.has(name))
  const choices = await conflicts.ask(
    taken.map(({ name }) => ({ cause: 'transfer', folder: to, name })),
    taken.length === 0 ? 0 : entries.length,
  )
  if (choices.includes('cancel')) return null
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
  context.openAt(from)?.showFailures([])
  if (verb === 'move') context.openAt(from)?.remove(steps.map(({ entry }) => entry.name))
  const outcomes = await withLoadingNotice(
    context,
    t(`working.${verb}`, { count }),
    mapConcurrently(maxConcurrentRequests, steps, (step) => transferOne(context, transfer, step)),
  )
  const refusals = outcomes.filter((outcome) => 'reason' in outcome)
  if (verb === 'move') settle(() => context.openAt(from)?.insert(refusals.map(({ entry }) => entry)))
  context.openAt(from)?.showFailures(refusals)
  context.openAt(to)?.reload()
  const names = outcomes.flatMap((outcome) => ('name' in outcome ? outcome.name : []))
  if (refusals.length === 0) context.openAt(to)?.focus(...names)
  tellOutcome(context, transfer, { count, refusals })
}

/** Shows a notice with the result of a transfer of `count` entries. */
function tellOutcome(
  context: OperationContext,
  { verb, from, to }: TransferRequest,
  { count, refusals }: { readonly count: number; readonly refusals: readonly RefusedEntry[] },
): void {
  if (refusals.length > 0) {
    context.tellFailure(
      t('failed.some', { failed: refusals.length, of: count }),
      refusals.map(({ entry, reason }) => `${entry.name}: ${reason}`),
    )
    return
  }
  const text = t(`done.${verb}`, { count, folder: nameOf(to) || t('sidebar.myFiles') })
  if (from === to || context.openAt(to) !== null) context.tell(text)
  else context.tell(text, { label: t('buttons.show'), run: () => context.go(filesUrl(to, true)) })
}

/** Transfers one entry. Returns the name that it got in the destination folder, or the reason of the refusal. */
async function transferOne(
  context: OperationContext,
  { verb, from, to }: TransferRequest,
  { entry, choice }: TransferStep,
): Promise<RefusedEntry | { readonly name: string }> {
  const [source, destination] = [childOf(from, entry.name), childOf(to, entry.name)]
  if (source === null || destination === null) return { entry, reason: t('reason.bad-name') }
  if (entry.isFolder && isWithin(to, source)) return { entry, reason: t('reason.into-itself') }
  try {
    const response = await context.call('resources.transfer', {
      path: source,
      query: {
        action: verb === 'move' ? 'rename' : 'copy',
        destination: encodePath(destination),
        override: choice === 'overwrite',
        rename: choice === 'rename',
      },
    })
    const finalPath = parsePath(response.headers.get('Content-Location') ?? '')?.path ?? root
    return { name: nameOf(finalPath) || entry.name }
  } catch (thrown) {
    return { entry, reason: reasonOf(thrown) }
  }
}
