import type { Permission } from '../../shared/domain/access.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { PlainMessageId } from '../i18n/translate.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { unreachablePath } from '../state/open-folder.ts'
import type { IconDrawing } from '../ui/icon.tsx'

/** The state that an action may use: the open folder, the selected entries, and the user's permissions. */
export type ActionContext = {
  readonly folder: Path
  readonly selected: readonly ListedEntry[]
  /** True while the rows of some selected entries have not arrived, so that `selected` lacks these entries. */
  readonly isArriving?: boolean
  readonly may: (permission: Permission) => boolean
  readonly isMultiple: boolean
}

/**
 * The number of selected entries that an action requires. An action with `any` applies to the open folder when no
 * entry is selected.
 */
export type SelectionRequirement = 'nothing' | 'one' | 'some' | 'any'

/**
 * The parts of the screen that show actions. The file header is the header while a file is open. The entry menu opens on selected entries, and the folder menu on the empty
 * area of the listing. Each has a menu "More" for the rarer actions.
 */
export type ActionPlace =
  | 'header'
  | 'file-header'
  | 'selection-bar'
  | 'sidebar'
  | 'new-menu'
  | 'entry-menu'
  | 'entry-more'
  | 'folder-menu'
  | 'folder-more'

/** The groups of actions in context menus, from top to bottom. Lines separate the lists of groups. */
export const menuSections = [
  ['open'],
  ['create'],
  ['send'],
  ['edit', 'copy'],
  ['sort'],
  ['view'],
  ['select'],
  ['facts'],
  ['delete'],
] as const
export type MenuGroup = (typeof menuSections)[number][number]

/**
 * A command that the user can run. The header, the selection bar, the sidebar, the keyboard and the help all use the
 * same list of actions.
 */
export type Action = {
  readonly id: string
  readonly label: PlainMessageId
  readonly icon: IconDrawing
  readonly needs?: Permission
  /** A second permission, without which the server refuses what the action does. */
  readonly alsoNeeds?: Permission
  readonly takes: SelectionRequirement
  /** The id of an action for one entry, which this action replaces in context menus while several entries are selected. */
  readonly severalOf?: string
  /** True when the selected entries have to be in one folder. Results of a search can be in several. */
  readonly isInOneFolder?: true
  /** Returns false when the action does not apply to the selected entries even though `takes` allows their number. */
  readonly suits?: (context: ActionContext) => boolean
  /** Returns true while the open folder has what the action chooses, such as a sort order. Menus mark the action then. */
  readonly isChosen?: () => boolean
  /**
   * Key combinations such as `ctrl+a`, `Delete`, `F2`; `ctrl` is ⌘ on macOS. A test ensures that no two actions share a
   * key combination.
   */
  readonly keys: readonly string[]
  /** The key with which the list itself does the same for its focused row. Menus show this key. */
  readonly listKey?: string
  /**
   * True for keys for which the browser fires an event of its own, such as `copy`. This event runs the action, so the
   * key listener ignores these keys.
   */
  readonly isNative?: boolean
  /** True for an action whose keys work on every screen, also while the focus is in a text field. */
  readonly isGlobal?: boolean
  /** The parts of the screen that show the action. An action with an empty list is available by its keys only. */
  readonly places: readonly ActionPlace[]
  /** The group of the action in context menus. */
  readonly menuGroup?: MenuGroup
  readonly run: (context: ActionContext) => void | Promise<void>
  /** Runs the action for a key press, when a key has another effect than a button or a menu item. */
  readonly runByKey?: Action['run']
}

/** Returns true when the user has the permissions that the action needs. An action without permission is not shown. */
export const isPermitted = (
  { needs, alsoNeeds }: Pick<Action, 'needs' | 'alsoNeeds'>,
  { may }: Pick<ActionContext, 'may'>,
): boolean => [needs, alsoNeeds].every((permission) => permission === undefined || may(permission))

/**
 * Returns how the selection has to change before the action can run, or that its rows must arrive first. Returns null
 * when the selection meets the requirements of the action.
 */
export function missingSelection(
  { takes }: Action,
  { selected, isArriving }: ActionContext,
): 'arriving' | 'one' | 'onlyOne' | 'some' | null {
  if (isArriving === true && takes !== 'nothing') return 'arriving'
  if (takes === 'one' && selected.length !== 1) return selected.length === 0 ? 'one' : 'onlyOne'
  return takes === 'some' && selected.length === 0 ? 'some' : null
}

/** Returns false when the selected entries are in several folders and the action is for entries of one folder. */
const suitsFolders = ({ isInOneFolder }: Action, { selected }: ActionContext): boolean =>
  isInOneFolder !== true || selected.every(({ folder }) => folder === undefined)

/** Returns the requirement of an action that the selection does not meet, or null. */
export const missingNeed = (
  action: Action,
  context: ActionContext,
): ReturnType<typeof missingSelection> | 'oneFolder' =>
  missingSelection(action, context) ?? (suitsFolders(action, context) ? null : 'oneFolder')

/**
 * Returns true when the user may run the action and it suits what is selected, whose number may not meet its requirements.
 * Nothing can be added to a folder that could not be opened.
 */
export const appliesTo = (action: Action, context: ActionContext): boolean =>
  isPermitted(action, context) &&
  (action.needs !== 'create' || context.folder !== unreachablePath.get()) &&
  action.suits?.(context) !== false

/** Returns true when the user may run the action and the selection meets its requirements. */
export const isAvailable = (action: Action, context: ActionContext): boolean =>
  appliesTo(action, context) && missingNeed(action, context) === null
