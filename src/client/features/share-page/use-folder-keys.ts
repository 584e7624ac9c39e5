import { parentOf } from '../../../shared/domain/path.ts'
import { handleKey } from '../../listing/keys/list-keys.ts'
import { escapeRows } from '../../listing/grid/select-in-lists.ts'
import { rowOrderOfColumns } from '../../listing/rows/folder-rows.ts'
import { navigate } from '../../router/router.ts'
import { invert, selectAll } from '../../state/selection.ts'
import { useKeyScope } from '../../ui/keyboard/use-key-scope.ts'
import { combinationOf } from '../../ui/keyboard/keys.ts'
import { guestListing } from './guest-listing.ts'
import { chooseView } from './guest-view.ts'
import { isShareRoot, type SharePath, shareUrl } from './share-address.ts'

type FolderKeyOptions = {
  readonly path: SharePath
  readonly open: (index: number, isNewTab: boolean) => void
  /** Downloads the selected entries. Null where guests may not download. They cannot select several rows there. */
  readonly download: (() => void) | null
}

/** Handles the keys of a shared folder: those of the list, and those that files and the folder have elsewhere. */
export function useFolderKeys({ path, open, download }: FolderKeyOptions): void {
  const openParent = (): void => {
    if (!isShareRoot(path)) navigate(shareUrl(parentOf(path), true))
  }
  useKeyScope('screen', (event) => {
    const runAction = (): boolean => {
      const action = { ...actionsOfRows(path, download), Backspace: openParent, 'alt+ArrowUp': openParent }[
        combinationOf(event)
      ]
      action?.()
      return action !== undefined
    }
    return handleKey(guestListing, event, { open, openParent, look: null, runAction })
  })
}

/** Returns what keys do with the rows. */
function actionsOfRows(
  path: SharePath,
  download: FolderKeyOptions['download'],
): Readonly<Record<string, () => void>> {
  const { selection, columns } = guestListing
  const always = {
    Escape: () => escapeRows([guestListing]),
    'ctrl+shift+1': () => chooseView(path, 'list'),
    'ctrl+shift+2': () => chooseView(path, 'mosaic'),
    'ctrl+shift+3': () => chooseView(path, 'gallery'),
  }
  if (download === null) return always
  return {
    ...always,
    'ctrl+a': () => selection.set((now) => selectAll(now, rowOrderOfColumns(columns.get()))),
    'ctrl+i': () => selection.set((now) => invert(now, rowOrderOfColumns(columns.get()))),
    'ctrl+s': download,
  }
}
