import { childOf, root, type Path } from '../../shared/domain/path.ts'
import { pinned } from '../state/pins.ts'
import type { ActionContext } from './action.ts'

/**
 * Returns the folder that pinning concerns: the selected folder, or the open folder when nothing is selected. Returns
 * null for files, and for the root, which has its own link in the sidebar.
 */
export function pinTargetOf({ folder, selected }: ActionContext): Path | null {
  const [entry] = selected
  if (entry === undefined) return folder === root ? null : folder
  return selected.length === 1 && entry.isFolder ? childOf(folder, entry.name) : null
}

/** Returns whether the folder that pinning concerns is pinned, or null when no folder can be pinned now. */
export function isTargetPinned(context: ActionContext): boolean | null {
  const target = pinTargetOf(context)
  const { key, folders } = pinned.get()
  return target === null || key === '' ? null : folders.includes(target)
}
