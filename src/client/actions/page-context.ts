import { parentOf, root } from '../../shared/domain/path.ts'
import type { Location } from '../router/router.ts'
import { openFolder } from '../state/open-folder.ts'
import { createPersonalStore } from '../state/personal.ts'
import type { Action, ActionContext } from './action.ts'

/** The selected results of a search together with the selected rows of the open folder. */
export type ResultContext = ActionContext & {
  /** The number of selected entries, including those that are inside a selected folder. */
  readonly count: number
}

/**
 * The context of the actions for entries while results of a search are selected, or null. All parts of the screen apply these
 * actions to it.
 */
export const resultContext = createPersonalStore<ResultContext | null>(null)

/**
 * Returns the context to which an action applies: the selected results of a search, or else the open folder with its selected
 * rows. An action without entries, such as *New folder*, always applies to the open folder.
 */
export const contextOfAction = (
  { takes }: Pick<Action, 'takes'>,
  open: ActionContext,
  results: ActionContext | null = resultContext.get(),
): ActionContext => (takes === 'nothing' ? open : (results ?? open))

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
