import { childOf, type Path } from '../../shared/domain/path.ts'
import { statusOf } from '../api/call.ts'
import { sentences } from '../i18n/joined-texts.ts'
import { t } from '../i18n/translate.ts'
import type { EntriesOfFolder, ListedEntry } from '../state/listed-entry.ts'
import type { RefusedEntry } from '../state/open-folder.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { OperationContext } from './operation-context.ts'
import { withLoadingNotice } from './loading-notice.ts'
import { waitForRenames } from '../state/pending-renames.ts'
import { reasonOf } from './reason.ts'
import { entriesByFolder, beginRowOperation } from './begin-row-operation.ts'
import { notifyRefusals } from './outcomes/notify-refusals.ts'

/**
 * The maximum number of concurrent requests, equal to the limit for uploads. Each entry is deleted with one request
 * (contract 16).
 */
const maxConcurrentRequests = 5

/**
 * Deletes entries. Their rows are removed immediately. When the server refuses to delete an entry, its row is inserted
 * again and a notice shows the reason.
 */
export async function removeEntries(
  context: OperationContext,
  { folder, entries }: EntriesOfFolder,
): Promise<void> {
  const groups = entriesByFolder({ folder, entries })
  const settles = Array.from(groups.keys(), (source) => ({
    source,
    settle: beginRowOperation(context, source),
  }))
  const named = { count: entries.length, name: entries[0]?.name ?? '' }
  for (const [source, removed] of groups) {
    context.openAt(source)?.showFailures([])
    context.openAt(source)?.remove(removed.map(({ name }) => name))
  }
  const outcomes = await withLoadingNotice(
    context,
    t('working.delete', named),
    mapConcurrently(maxConcurrentRequests, entries, (entry) =>
      removeOne(context, entry.folder ?? folder, entry),
    ),
  )
  const refusals = outcomes.filter((outcome) => outcome !== null)
  for (const { source, settle } of settles) {
    const refused = refusals.filter(({ entry }) => (entry.folder ?? folder) === source)
    settle(() => context.openAt(source)?.insert(refused.map(({ entry }) => entry)))
    context.openAt(source)?.showFailures(refused)
  }
  if (refusals.length === 0) return context.notify(t('done.delete', named))
  const [first] = refusals
  if (first && entries.length === 1) {
    context.notifyFailure(sentences(t('failed.delete', { name: first.entry.name }), first.reason))
  } else {
    const refused = refusals.map(({ entry }) => entry)
    notifyRefusals(context, {
      refusals,
      total: entries.length,
      retry: () => void removeEntries(context, { folder, entries: refused }),
    })
  }
}

async function removeOne(
  context: OperationContext,
  folder: Path,
  entry: ListedEntry,
): Promise<RefusedEntry | null> {
  const path = childOf(folder, entry.name)
  if (path === null) return { entry, reason: t('reason.bad-name') }
  try {
    const failedRename = await waitForRenames(path)
    if (failedRename !== null) throw failedRename
    await context.call('resources.remove', { path, isFolder: entry.isFolder })
    return null
  } catch (thrown) {
    // Status 404 means that somebody else has already deleted the entry.
    if (statusOf(thrown) === 404) return null
    return { entry, reason: reasonOf(thrown) }
  }
}
