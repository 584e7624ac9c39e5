import type { TokenUser } from '../../../../shared/contract/users.ts'
import type { ViewMode } from '../../../../shared/contract/fields/user-fields.ts'
import type { ListingOrder, SortPreference, SortKey } from '../../../../shared/domain/sorting.ts'
import { call } from '../../../api/call.ts'
import { renewSession } from '../../../api/renewal.ts'
import { t } from '../../../i18n/translate.ts'
import { notifyFailure } from '../../../state/notices.ts'
import { forgetViews } from '../../../state/device/saved-folder-views.ts'
import { createPersonalStore } from '../../../state/personal.ts'
import { showFields, tokenOf, userOf, userOfToken } from '../../../state/session.ts'
import { addressLoader } from './address-loader.ts'
import { wantedOrder } from './wanted-order.ts'

/** The requests that save the view and the order run one after the other, so that the server stores the last one at the end. */
const lastSave = createPersonalStore<Promise<unknown>>(Promise.resolve())

/** Shows a view in all folders immediately, and saves it as the user's preference. */
export function showViewEverywhere(viewMode: ViewMode): void {
  const user = userOf()
  if (user === null) return
  forgetViews()
  const confirm = showFields({ viewMode })
  const saved = lastSave.get().then(() => saveFields(user, { viewMode }))
  lastSave.set(saved)
  void saved.then((isSaved) => (isSaved ? renewUntil(viewMode) : undefined)).finally(confirm)
}

/** Waits for a token that contains the view. */
async function renewUntil(viewMode: ViewMode): Promise<void> {
  await renewSession()
  // This renewal may have begun before the server stored the view.
  if (userOfToken(tokenOf() ?? '')?.viewMode !== viewMode) await renewSession()
}

/** True when the server has stored an order that the rows on screen do not have yet. */
const isRowOrderStale = createPersonalStore(false)

/**
 * Saves the sort order as the user's preference and fetches the open folder in that order. Sorting by the same column
 * reverses the order. While an earlier order is being saved, the later one waits for it, and the folder is fetched
 * once, after the last one.
 */
export async function sortBy(by: SortKey, current: ListingOrder): Promise<void> {
  const user = userOf()
  if (user === null) return
  const order = { ...current, by, descending: current.by === by && !current.descending }
  wantedOrder.set(order)
  const sorting = sortingOf(by, order.descending)
  const saved = lastSave.get().then(() => saveFields(user, { sorting }))
  lastSave.set(saved)
  if (await saved) isRowOrderStale.set(true)
  if (wantedOrder.get() !== order) return
  if (isRowOrderStale.get()) showRowsIn(order)
  else wantedOrder.set(null)
}

/** Fetches the open folder again. The order is no longer a wanted one when the new rows are on screen. */
function showRowsIn(order: ListingOrder): void {
  isRowOrderStale.set(false)
  addressLoader.forget()
  addressLoader.reload()
  const unsubscribe = addressLoader.view.subscribe(() => {
    unsubscribe()
    wantedOrder.set((now) => (now === order ? null : now))
  })
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
    notifyFailure(t('errors.generic'))
    return false
  }
}
