import { childOf, encodePath, isWithin, nameOf, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { filesAddress } from '../router/router.ts'
import type { ConflictDesk } from '../state/conflict-desk.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { ConflictChoice } from '../state/uploads.ts'
import { atOnce } from './at-once.ts'
import type { Desk } from './desk.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { reasonOf } from './reason.ts'
import type { NamesIn } from './upload-plan.ts'

export type Transfer = {
  readonly verb: 'move' | 'copy'
  readonly from: Path
  readonly to: Path
  readonly entries: readonly ListedEntry[]
}

type TransferDesk = Desk & { readonly namesIn: NamesIn; readonly conflicts: ConflictDesk }
type Step = { readonly entry: ListedEntry; readonly choice: ConflictChoice | 'free' }
type Refusal = { readonly entry: ListedEntry; readonly reason: string }

const requestsAtOnce = 5

/** Moves or copies entries into another folder, after one question about the names that are taken there. The view stays. */
export async function transferEntries(desk: TransferDesk, transfer: Transfer): Promise<void> {
  try {
    const steps = await plan(desk, transfer)
    if (steps.length > 0) await carryOut(desk, transfer, steps)
  } catch (thrown) {
    desk.tellFailure(`${t('failed.list')} ${reasonOf(thrown)}`)
  }
}

/** Copying beside the original numbers the copies without asking (specification 4). */
async function plan(
  { namesIn, conflicts }: TransferDesk,
  { verb, from, to, entries }: Transfer,
): Promise<Step[]> {
  if (from === to) return verb === 'move' ? [] : entries.map((entry) => ({ entry, choice: 'rename' }))
  const there = await namesIn(to)
  const taken = entries.filter(({ name }) => there.has(name))
  const choices = await conflicts.ask(
    taken.map(({ name }) => ({ cause: 'transfer', folder: to, name })),
    taken.length === 0 ? 0 : entries.length,
  )
  if (choices.includes('cancel')) return []
  const choiceOf = new Map(taken.map((entry, at) => [entry, choices[at]]))
  return entries
    .map((entry): Step => ({ entry, choice: choiceOf.get(entry) ?? 'free' }))
    .filter(({ choice }) => choice !== 'skip')
}

async function carryOut(desk: TransferDesk, transfer: Transfer, steps: readonly Step[]): Promise<void> {
  const { verb, from, to } = transfer
  const count = steps.length
  if (verb === 'move') desk.openAt(from)?.remove(steps.map(({ entry }) => entry.name))
  const outcomes = await withLoadingNotice(
    desk,
    t(`working.${verb}`, { count }),
    atOnce(requestsAtOnce, steps, (step) => transferOne(desk, transfer, step)),
  )
  const refusals = outcomes.filter((outcome) => outcome !== null)
  if (verb === 'move') desk.openAt(from)?.insert(refusals.map(({ entry }) => entry))
  desk.openAt(to)?.reload()
  if (refusals.length > 0) {
    desk.tellFailure(
      t('failed.some', { failed: refusals.length, of: count }),
      refusals.map(({ entry, reason }) => `${entry.name}: ${reason}`),
    )
  } else if (from === to) desk.tell(t('done.copy', { count, folder: nameOf(to) || t('sidebar.myFiles') }))
  else {
    desk.tell(t(`done.${verb}`, { count, folder: nameOf(to) || t('sidebar.myFiles') }), {
      label: t('buttons.show'),
      run: () => desk.go(filesAddress(to, true)),
    })
  }
}

async function transferOne(
  desk: Desk,
  { verb, from, to }: Transfer,
  { entry, choice }: Step,
): Promise<Refusal | null> {
  const [source, destination] = [childOf(from, entry.name), childOf(to, entry.name)]
  if (source === null || destination === null) return { entry, reason: t('reason.bad-name') }
  if (entry.isFolder && isWithin(to, source)) return { entry, reason: t('reason.into-itself') }
  try {
    await desk.call('resources.transfer', {
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
