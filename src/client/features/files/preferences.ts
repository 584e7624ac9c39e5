import type { TokenUser, ViewMode } from '../../../shared/contract/users.ts'
import type { Order, Sorting, SortKey } from '../../../shared/domain/sorting.ts'
import { call } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { tellFailure } from '../../state/notices.ts'
import { session, userOf } from '../../state/session.ts'
import { folderDesk } from './folder-desk.ts'

/** The gallery is kept as stored, and shown as the mosaic until it has a view of its own. */
export const gridViewOf = (mode: ViewMode | undefined): 'list' | 'mosaic' =>
  mode === undefined || mode === 'list' ? 'list' : 'mosaic'

/** Shows the other view at once and keeps it for the user. */
export function switchView(): void {
  const user = userOf()
  if (user === null) return
  const viewMode = gridViewOf(user.viewMode) === 'list' ? 'mosaic' : 'list'
  session.set((now) => (now.kind === 'user' ? { ...now, user: { ...now.user, viewMode } } : now))
  void keep(user, { viewMode })
}

/** Keeps how the user wants folders sorted and fetches the open one in that order. A second call for a column reverses it. */
export async function sortBy(by: SortKey, now: Order): Promise<void> {
  const user = userOf()
  const isDescending = now.by === by && !now.descending
  if (user === null || !(await keep(user, { sorting: sortingOf(by, isDescending) }))) return
  folderDesk.forget()
  folderDesk.reload()
}

/** On the wire `asc` means Z to A for names (contract 3.3). */
const sortingOf = (by: SortKey, isDescending: boolean): Sorting => ({
  by,
  asc: by === 'name' ? isDescending : !isDescending,
})

async function keep(
  { id }: TokenUser,
  fields: { readonly viewMode: ViewMode } | { readonly sorting: Sorting },
): Promise<boolean> {
  try {
    await call('users.update', {
      id,
      body: { what: 'user', which: Object.keys(fields), data: { id, ...fields } },
    })
    return true
  } catch {
    tellFailure(t('errors.generic'))
    return false
  }
}
