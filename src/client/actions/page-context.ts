import { parentOf, root } from '../../shared/domain/path.ts'
import type { Location } from '../router/router.ts'
import { openFolder } from '../state/open-folder.ts'
import { createPersonalStore } from '../state/personal.ts'
import type { ActionContext } from './action.ts'

/** The context of the selected results of a search, or null. The header applies its actions to them. */
export const resultContext = createPersonalStore<ActionContext | null>(null)

/**
 * Returns the context of actions that work on every screen. The folder is the open folder or the folder of the open
 * file, and the root on other screens.
 */
export function pageContextOf(
  { screen, path, isFolder }: Location,
  may: ActionContext['may'],
): ActionContext {
  const open = screen === 'files' && path !== null ? path : root
  const folder = isFolder ? open : parentOf(open)
  const listed = openFolder.get()
  const selected = listed?.folder === folder ? listed.selected() : []
  return { folder, selected, may, isMultiple: false }
}
