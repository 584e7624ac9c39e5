import { childOf, type Path } from '../../shared/domain/path.ts'
import { statusOf } from '../api/call.ts'
import { t } from '../i18n/translate.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { atOnce } from './at-once.ts'
import type { Desk } from './desk.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { reasonOf } from './reason.ts'

export type Removal = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/** One request an entry (contract 16), as many as uploads. */
const requestsAtOnce = 5

type Refusal = { readonly entry: ListedEntry; readonly reason: string }

/** Deletes entries. Their rows leave at once; those that the server keeps come back, with its reasons. */
export async function removeEntries(desk: Desk, { folder, entries }: Removal): Promise<void> {
  desk.openAt(folder)?.remove(entries.map(({ name }) => name))
  const outcomes = await withLoadingNotice(
    desk,
    t('working.delete', { count: entries.length }),
    atOnce(requestsAtOnce, entries, (entry) => removeOne(desk, folder, entry)),
  )
  const refusals = outcomes.filter((outcome) => outcome !== null)
  if (refusals.length === 0) return desk.tell(t('done.delete', { count: entries.length }))
  desk.openAt(folder)?.insert(refusals.map(({ entry }) => entry))
  const [first] = refusals
  if (first && entries.length === 1) {
    desk.tellFailure(`${t('failed.delete', { name: first.entry.name })} ${first.reason}`)
  } else {
    desk.tellFailure(
      t('failed.some', { failed: refusals.length, of: entries.length }),
      refusals.map(({ entry, reason }) => `${entry.name}: ${reason}`),
    )
  }
}

async function removeOne(desk: Desk, folder: Path, entry: ListedEntry): Promise<Refusal | null> {
  const path = childOf(folder, entry.name)
  if (path === null) return { entry, reason: t('reason.bad-name') }
  try {
    await desk.call('resources.remove', { path, isFolder: entry.isFolder })
    return null
  } catch (thrown) {
    // Somebody else was faster: what was wanted is so.
    if (statusOf(thrown) === 404) return null
    return { entry, reason: reasonOf(thrown) }
  }
}
