import { childOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { openFolder } from '../../state/open-folder.ts'

/** A folder on screen that accepts entries, and the element that shows it. */
export type FolderDropTarget = { readonly folder: Path; readonly element: HTMLElement }

/**
 * Finds the folder that an element belongs to: the row of a folder in the listing, or an element of the breadcrumb or
 * the sidebar that names its folder in `data-drop-folder`.
 */
export function dropTargetOf(target: EventTarget | null): FolderDropTarget | null {
  if (!(target instanceof Element)) return null
  const named = target.closest<HTMLElement>('[data-drop-folder]')
  const namedFolder = pathOf(named?.dataset['dropFolder'] ?? '')
  if (named !== null && namedFolder !== null) return { folder: namedFolder, element: named }
  const row = target.closest<HTMLElement>('[role="row"][data-folder-name]')
  const { path, folderName = '' } = row?.dataset ?? {}
  const open = openFolder.get()
  // Only rows of several folders have a path.
  const inOpen = open === null ? null : childOf(open.folder, folderName)
  const folder = path === undefined ? inOpen : pathOf(path)
  return row === null || folder === null ? null : { folder, element: row }
}

const activeAttribute = 'data-drop-active'

/** Marks the element that shows the drop target. At most one element is marked. */
export function markDropTarget(element: HTMLElement | null): void {
  for (const marked of document.querySelectorAll(`[${activeAttribute}]`))
    if (marked !== element) marked.removeAttribute(activeAttribute)
  element?.setAttribute(activeAttribute, '')
}
