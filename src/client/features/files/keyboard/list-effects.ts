import { isAvailable } from '../../../actions/action.ts'
import { parentFolder } from '../../../actions/parent-folder.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import type { ListKeyEffects } from '../../../listing/keys/list-keys.ts'
import { entryAt } from '../../../listing/rows/columns.ts'
import { entryUrl, openUrl } from '../../../router/entry-url.ts'
import { currentActionContext } from '../open-folder/action-context.ts'

/** Returns what the keys of a list on the files screen do outside of the list. */
export const effectsIn = (listing: Listing): ListKeyEffects => ({
  open: (index, isNewTab) => openRow(listing, index, isNewTab),
  openParent,
  look: (isFull) => listing.quickLook.set(isFull ? 'full' : 'open'),
})

/** Opens the entry of a row. */
export function openRow({ columns, selection }: Listing, index: number, isNewTab = false): void {
  const entry = entryAt(columns.get(), index)
  const { folder } = selection.get()
  if (entry !== undefined && folder !== null) openUrl(entryUrl(folder, entry), isNewTab)
}

function openParent(): void {
  const context = currentActionContext()
  if (context !== null && isAvailable(parentFolder, context)) void parentFolder.run(context)
}
