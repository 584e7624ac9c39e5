import type { TokenUser } from '../../../../shared/contract/users.ts'
import type { ViewMode } from '../../../../shared/contract/user-fields.ts'
import type { ListingOrder, SortPreference, SortKey } from '../../../../shared/domain/sorting.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import { call } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { tellFailure } from '../../../state/notices.ts'
import { session, userOf } from '../../../state/session.ts'
import { folderLoader } from './folder-loader.ts'

/** Returns the view of the grid for a stored view mode. */
export const gridViewOf = (mode: ViewMode = 'list'): GridView =>
  mode === 'mosaic gallery' ? 'gallery' : mode

const modeAfter = { list: 'mosaic', mosaic: 'mosaic gallery', 'mosaic gallery': 'list' } as const

/** Shows the view that follows the current one. */
export function switchView(): void {
  const user = userOf()
  if (user !== null) showView(modeAfter[user.viewMode])
}

/** Shows a view immediately and saves it as the user's preference. */
export function showView(viewMode: ViewMode): void {
  const user = userOf()
  if (user === null) return
  session.set((now) => (now.kind === 'user' ? { ...now, user: { ...now.user, viewMode } } : now))
  void saveFields(user, { viewMode })
}

/**
 * Saves the sort order as the user's preference and fetches the open folder in that order. Sorting by the same column
 * reverses the order.
 */
export async function sortBy(by: SortKey, current: ListingOrder): Promise<void> {
  const user = userOf()
  const isDescending = current.by === by && !current.descending
  if (user === null || !(await saveFields(user, { sorting: sortingOf(by, isDescending) }))) return
  folderLoader.forget()
  folderLoader.reload()
}

/** Converts a sort order to the format of the API, where `asc` means Z to A for names (contract 3.3). */
const sortingOf = (by: SortKey, isDescending: boolean): SortPreference => ({
  by,
  asc: by === 'name' ? isDescending : !isDescending,
})

/** Saves fields of the user. Shows a failure and returns false when the server refuses. */
async function saveFields(
  { id }: TokenUser,
  fields: { readonly viewMode: ViewMode } | { readonly sorting: SortPreference },
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
