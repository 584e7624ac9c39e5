import {
  childOf,
  encodePath,
  isWithin,
  nameOf,
  parsePath,
  root,
  type Path,
} from '../../shared/domain/path.ts'
import { conflictName } from '../../shared/domain/names.ts'
import { sentences } from '../i18n/joined-texts.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl } from '../router/router.ts'
import type { ConflictQueue } from '../state/conflicts/conflict-queue.ts'
import type { NameConflict } from '../state/conflicts/name-conflict.ts'
import type { ComparedEntry, ListedEntry } from '../state/listed-entry.ts'
import type { RefusedEntry } from '../state/open-folder.ts'
import type { ConflictChoice } from '../state/upload-job.ts'
import { statusOf } from '../api/call.ts'
import { conflictOf, freeNameIn } from './conflict-of.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { OperationContext } from './operation-context.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { waitForRenames } from '../state/pending-renames.ts'
import { reasonOf } from './reason.ts'
import { entriesByFolder, beginRowOperation } from './begin-row-operation.ts'
import { notifyLosses } from './outcomes/notify-losses.ts'
import { notifyRefusals } from './outcomes/notify-refusals.ts'
import type { FolderNamesReader } from './upload-plan.ts'

export type TransferRequest = {
  readonly verb: 'move' | 'copy'
  /** The folder of the entries that do not name a folder of their own. */
  readonly from: Path
  /** The folder that receives the entries, or null for copies that each belong into the folder of their original. */
  readonly to: Path | null
  readonly entries: readonly ListedEntry[]
}

export type TransferContext = OperationContext & {
  readonly namesIn: FolderNamesReader
  /** Reads one entry; null when no entry has the path. */
  readonly fetchEntry: (path: Path) => Promise<ComparedEntry | null>
  readonly conflicts: ConflictQueue
}
type TransferStep = { readonly entry: ListedEntry; readonly choice: ConflictChoice | 'free' }

/** The maximum number of concurrent requests, equal to the limit for uploads. */
const maxConcurrentRequests = 5

/**
 * Moves or copies entries into another folder. Asks the user first about all names that already exist there. The open
 * folder stays open. Returns false when nothing was sent, because the user cancelled or the folder could not be read. The notice
 * about a folder that could not be read offers to repeat the whole operation by `retry`.
 */
export async function transferEntries(
  context: TransferContext,
  transfer: TransferRequest,
  retry = (): void => void transferEntries(context, transfer),
): Promise<boolean> {
  try {
    const steps = await planTransfer(context, transfer)
    if (steps === null) return false
    if (steps.length > 0) await runTransfer(context, transfer, steps)
    return true
  } catch (thrown) {
    notifyNothingSent(context, transfer, { reason: reasonOf(thrown), retry })
    return false
  }
}

/** Shows a notice that no entry was transferred, with the reason and a button that tries it again. */
function notifyNothingSent(
  { notifyFailure }: Pick<TransferContext, 'notifyFailure'>,
  { verb, entries }: TransferRequest,
  { reason, retry }: { readonly reason: string; readonly retry: () => void },
): void {
  const text = t(`failed.${verb}`, { count: entries.length, name: entries[0]?.name ?? '' })
  notifyFailure(sentences(text, reason), [], { label: t('buttons.retry'), run: retry })
}

/**
 * Determines what to do with each entry. Copies into the same folder get a number without asking the user
 * (specification 4). Returns null when the user cancels.
 */
async function planTransfer(
  { namesIn, conflicts }: TransferContext,
  { verb, from, to, entries }: TransferRequest,
): Promise<TransferStep[] | null> {
  const isInTarget = (entry: ListedEntry): boolean => to === null || (entry.folder ?? from) === to
  const there = entries.filter(isInTarget).map((entry): TransferStep => ({ entry, choice: 'rename' }))
  const kept = verb === 'move' ? [] : there
  if (to === null || there.length === entries.length) return kept
  const others = entries.filter((entry) => !isInTarget(entry))
  const existing = await namesIn(to)
  const found = others.map((entry) =>
    conflictOf(existing, {
      verb,
      folder: to,
      name: entry.name,
      source: entry,
      sentFrom: entry.folder ?? from,
    }),
  )
  const taken = others.filter((_, at) => found[at] !== null)
  const choices = await conflicts.ask(
    found.filter((conflict) => conflict !== null),
    taken.length === 0 ? 0 : others.length,
  )
  if (choices.includes('cancel')) return null
  const choiceOf = new Map(taken.map((entry, at) => [entry, choices[at]]))
  const steps = others.map((entry): TransferStep => ({ entry, choice: choiceOf.get(entry) ?? 'free' }))
  return [...kept, ...steps.filter(({ choice }) => choice !== 'skip')]
}

async function runTransfer(
  context: TransferContext,
  transfer: TransferRequest,
  steps: readonly TransferStep[],
): Promise<void> {
  const { verb, from } = transfer
  const count = steps.length
  const groups = entriesByFolder({ folder: from, entries: steps.map(({ entry }) => entry) })
  // A copy changes no row of the folders that it reads.
  const moved = verb === 'move' ? groups : new Map<Path, ListedEntry[]>()
  const settles = new Map(Array.from(moved.keys(), (source) => [source, beginRowOperation(context, source)]))
  for (const source of groups.keys()) context.openAt(source)?.showFailures([])
  for (const [source, sent] of moved) context.openAt(source)?.remove(sent.map(({ name }) => name))
  const outcomes = await withLoadingNotice(
    context,
    t(`working.${verb}`, { count, name: steps[0]?.entry.name ?? '' }),
    mapConcurrently(maxConcurrentRequests, steps, (step) => transferOne(context, transfer, step)),
  )
  const refusals = outcomes.flatMap(({ entry, reason }) => (reason === undefined ? [] : { entry, reason }))
  const stayed = outcomes.filter(({ name }) => name === undefined).map(({ entry }) => entry)
  for (const source of groups.keys()) {
    const isFrom = (entry: ListedEntry): boolean => (entry.folder ?? from) === source
    settles.get(source)?.(() => context.openAt(source)?.insert(stayed.filter(isFrom)))
    context.openAt(source)?.showFailures(refusals.filter(({ entry }) => isFrom(entry)))
  }
  const arrived = Map.groupBy(
    outcomes.filter(({ name }) => name !== undefined),
    ({ entry }) => transfer.to ?? entry.folder ?? from,
  )
  for (const target of transfer.to === null ? groups.keys() : [transfer.to]) {
    context.openAt(target)?.reload()
    const names = arrived.get(target)?.flatMap(({ name }) => name ?? []) ?? []
    if (refusals.length === 0) context.openAt(target)?.focus(...names)
  }
  notifyOutcome(context, transfer, { arrived, refusals })
}

type TransferResult = {
  /** The entries that were transferred, by the folder that has received them. */
  readonly arrived: ReadonlyMap<Path, readonly TransferOutcome[]>
  readonly refusals: readonly RefusedEntry[]
}

/** Shows a notice with the result of a transfer. */
function notifyOutcome(
  context: TransferContext,
  transfer: TransferRequest,
  { arrived, refusals }: TransferResult,
): void {
  const names = [...arrived.values()].flat().flatMap(({ name }) => name ?? [])
  const count = names.length + refusals.length
  if (refusals.length > 0) {
    const refused = refusals.map(({ entry }) => entry)
    const remaining = { ...transfer, entries: refused }
    const retry = (): void => void transferEntries(context, remaining)
    const reason = t('reason.offline')
    if (names.length === 0 && refusals.every((refusal) => refusal.reason === reason))
      return notifyNothingSent(context, remaining, { reason, retry })
    return notifyRefusals(context, { refusals, total: count, retry })
  }
  const [name] = names
  const [to] = arrived.keys()
  if (name === undefined || to === undefined) return
  if (arrived.size > 1) return context.notify(t('done.copyBeside', { count }))
  const text = t(`done.${transfer.verb}`, { count, name, folder: nameOf(to) || t('sidebar.myFiles') })
  if (transfer.from === to || context.openAt(to) !== null) context.notify(text)
  else context.notify(text, { label: t('buttons.show'), run: () => context.go(filesUrl(to, true)) })
}

/** The entry with its new name, the reason of its refusal, or neither when the user has skipped the entry. */
type TransferOutcome = { readonly entry: ListedEntry; readonly name?: string; readonly reason?: string }

/**
 * Transfers one entry. When its name was taken after the names were compared, asks the user and transfers the entry
 * once more.
 */
async function transferOne(
  context: TransferContext,
  transfer: TransferRequest,
  { entry, choice }: TransferStep,
): Promise<TransferOutcome> {
  const { verb } = transfer
  const folder = entry.folder ?? transfer.from
  const to = transfer.to ?? folder
  const [source, destination] = [childOf(folder, entry.name), childOf(to, entry.name)]
  if (source === null || destination === null) return { entry, reason: t('reason.bad-name') }
  if (entry.isFolder && isWithin(to, source)) return { entry, reason: t('reason.into-itself') }
  try {
    await waitForRenames(source)
    const response = await context.call('resources.transfer', {
      path: source,
      query: {
        action: verb === 'move' ? 'rename' : 'copy',
        destination: encodePath(destination),
        override: choice === 'overwrite',
        rename: choice === 'rename',
        wholeExtension: choice === 'rename' ? true : undefined,
      },
    })
    notifyLosses(response)
    const finalPath = parsePath(response.headers.get('Content-Location') ?? '')?.path ?? root
    return { entry, name: nameOf(finalPath) || entry.name }
  } catch (thrown) {
    if (choice !== 'free' || statusOf(thrown) !== 409) return { entry, reason: reasonOf(thrown) }
  }
  const late = await askLate(context, { verb, from: folder, to, entry })
  return late === 'skip' || late === 'cancel'
    ? { entry }
    : transferOne(context, transfer, { entry, choice: late })
}

/** Asks the user about a name that was free when the names were compared. */
async function askLate(
  context: TransferContext,
  {
    verb,
    from,
    to,
    entry,
  }: Pick<TransferRequest, 'verb' | 'from'> & { readonly to: Path; readonly entry: ListedEntry },
): Promise<ConflictChoice> {
  const { name } = entry
  const late = { verb, folder: to, name, source: entry, sentFrom: entry.folder ?? from }
  const facts = await factsOfConflict(context, to, name).catch(() => ({ existing: null, freeName: name }))
  return (await context.conflicts.ask([{ ...late, ...facts }], 1))[0] ?? 'cancel'
}

/** The number of names that are tried one by one before the names of the whole folder are fetched. */
const maxTriedNames = 10

/** Returns the entry that has a name, and a free name with a number. A folder with many entries is not fetched for them. */
async function factsOfConflict(
  { namesIn, fetchEntry }: TransferContext,
  folder: Path,
  name: string,
): Promise<Pick<NameConflict, 'existing' | 'freeName'>> {
  const find = async (spelling: string): Promise<ComparedEntry | null> => {
    const path = childOf(folder, spelling)
    return path === null ? null : fetchEntry(path)
  }
  const existing = await find(name)
  if (existing === null) return { existing, freeName: name }
  for (let n = 1; n <= maxTriedNames; n += 1)
    if ((await find(conflictName(name, n))) === null) return { existing, freeName: conflictName(name, n) }
  return { existing, freeName: freeNameIn(await namesIn(folder), name) }
}
