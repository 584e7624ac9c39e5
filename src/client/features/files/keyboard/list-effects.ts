import { isAvailable } from '../../../actions/action.ts'
import { actionOfKey } from '../../../actions/action-keys.ts'
import { contextOfAction } from '../../../actions/page-context.ts'
import { parentFolder } from '../../../actions/parent-folder.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import type { ListKeyEffects } from '../../../listing/keys/list-keys.ts'
import { entryAt } from '../../../listing/rows/columns.ts'
import { entryUrl, openUrl } from '../../../router/entry-url.ts'
import { currentActionContext } from '../open-folder/action-context.ts'

/** Returns what keys on the files screen do outside of a list. */
export const effectsIn = (listing: Listing): ListKeyEffects => ({
  open: (index, isNewTab) => openRow(listing, index, isNewTab),
  openParent,
  runAction,
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

/**
 * Runs the action that belongs to a key. Returns true for every key that belongs to an action, so that the browser
 * never handles the key, even while the action is not available.
 */
function runAction(event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  const open = currentActionContext()
  if (action === undefined || action.isNative || open === null) return false
  const context = contextOfAction(action, open)
  if (isAvailable(action, context)) void (action.runByKey ?? action.run)(context)
  return true
}
