import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { type ListingColumns, idAt, idOfName, nameOfId } from '../../../listing/rows/columns.ts'
import { announce } from '../../../state/announcements.ts'
import { addNotice } from '../../../state/notices.ts'
import { createPersonalStore } from '../../../state/personal.ts'
import { hasRow, rowsIn } from '../../../state/row-set.ts'
import type { Selection } from '../../../state/selection.ts'
import { visibleName } from '../../../ui/visible-name.ts'

/**
 * Reports rows that were removed by a change elsewhere, by their ids. Rows that were selected cause a notice, and a row that
 * only had the focus causes an announcement. The changes do not say who made them. All other rows are ignored, and also
 * rows whose name is there again, as after a program has saved a file by replacing it.
 */
export function reportRemovedRows(
  columns: ListingColumns,
  removedIds: readonly number[],
  { chosen, focusId }: Pick<Selection, 'chosen' | 'focusId'>,
): void {
  const names = (isReported: (id: number) => boolean): readonly string[] =>
    removedIds
      .filter(isReported)
      .map((id) => nameOfId(columns, id))
      .filter((name) => idOfName(columns, name) === -1)
  const selected = names((id) => hasRow(chosen, id))
  const [name] = selected.length > 0 ? selected : names((id) => id === focusId)
  if (name !== undefined) report({ name, count: selected.length })
}

export type FetchedSelection = {
  /** The selection in the former rows `from`. */
  readonly before: Selection
  /** The selection in the new rows `to`. */
  readonly after: Selection
  readonly from: ListingColumns
  readonly to: ListingColumns
}

/** Reports rows that were selected or had the focus, and that are missing after the folder has been fetched again. */
export function reportMissingRows({ before, after, from, to }: FetchedSelection): void {
  const count = before.chosen.count - after.chosen.count
  const name = count > 1 ? '' : missingName(count === 1 ? rowsIn(before.chosen) : [before.focusId], from, to)
  if (name !== undefined) report({ name, count })
}

/** Returns the first of the names of rows that the new rows lack, or undefined. */
function missingName(ids: Iterable<number>, from: ListingColumns, to: ListingColumns): string | undefined {
  const names = new Set<string>()
  for (const id of ids) if (id >= 0 && id < from.ids) names.add(nameOfId(from, id))
  for (let index = 0; index < to.count && names.size > 0; index += 1)
    names.delete(nameOfId(to, idAt(to, index)))
  const [name] = names
  return name
}

/** Display time of the notice. The user does not wait for it, so it stays long enough to be looked at and read. */
const newsStayMs = 5000

/** The last report of removed rows as screen readers read it, and the sentence with the number of selected rows at its end. */
export const lastReport = createPersonalStore({ spoken: '', selected: '' })

type RemovedRows = {
  /** The name of the row when there is only one. */
  readonly name: string
  /** The number of rows that were selected. 0 for a row that only had the focus. */
  readonly count: number
}

function report({ name, count }: RemovedRows): void {
  const text = t('status.rowsRemoved', { count: Math.max(count, 1), name: visibleName(name) })
  if (count === 0) return announce(text)
  const selected = t('listing.selected', { count: folderListing.selection.get().chosen.count })
  const spoken = sentences(text, selected)
  lastReport.set({ spoken, selected })
  addNotice({ kind: 'news', text, spoken, stayMs: newsStayMs })
}
