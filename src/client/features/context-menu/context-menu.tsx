import type { Action, ActionContext, ActionPlace } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { contextOfAction, resultContext } from '../../actions/page-context.ts'
import { withFoundItems } from './found-items.ts'
import { menuLinesOf, shortMenuOf } from './menu-entries.ts'
import { t } from '../../i18n/translate.ts'
import { closeContextMenu, type ContextMenuPlace } from '../../state/context-menu.ts'
import { useStore } from '../../state/store.ts'
import { visibleName } from '../../ui/visible-name.ts'
import type { MenuEntry, MenuLine } from '../../ui/menu/menu-entry.ts'
import { PointerMenu } from '../../ui/menu/pointer-menu.tsx'

type ContextMenuProps = {
  readonly place: ContextMenuPlace
  /** The context of actions in the open folder. */
  readonly context: ActionContext
}

/** Renders the context menu of the listing, with the actions for the selected entries or for the open folder. */
export function ContextMenu({ place, context: open }: ContextMenuProps) {
  const isOnEntries = place.on === 'entries'
  const results = useStore(resultContext)
  const context = (isOnEntries && results) || open
  return (
    <PointerMenu
      place={place}
      heading={isOnEntries ? headingOf(context) : undefined}
      label={t(isOnEntries ? 'listing.menu' : 'listing.folderMenu')}
      entries={entriesAt(place, open, isOnEntries ? results : null)}
      onClose={closeContextMenu}
    />
  )
}

/** Returns the name of the selected entry, or the number of selected entries. */
const headingOf = ({ selected: [entry, ...others] }: ActionContext): string | undefined =>
  others.length > 0 ? t('listing.selected', { count: others.length + 1 }) : entry && visibleName(entry.name)

/** Returns the items of a menu: the usual actions and a menu of the rarer ones, or all of them that are not visible already. */
function entriesAt(
  { on, without }: ContextMenuPlace,
  open: ActionContext,
  results: ActionContext | null,
): readonly MenuEntry[] {
  const contextOf = (action: Action): ActionContext => contextOfAction(action, open, results ?? open)
  const withFound = <Entry extends MenuEntry>(entries: readonly Entry[]): readonly (Entry | MenuLine)[] =>
    results === null ? entries : withFoundItems(entries, results)
  const usual = actionsAt(on === 'entries' ? 'entry-menu' : 'folder-menu')
  const rare = actionsAt(on === 'entries' ? 'entry-more' : 'folder-more')
  if (without === undefined)
    return withFound(shortMenuOf(usual, contextOf, withFound(menuLinesOf(rare, contextOf))))
  const others = [...usual, ...rare].filter(({ id }) => !without.includes(id))
  return withFound(menuLinesOf(others, contextOf))
}

const actionsAt = (place: ActionPlace): readonly Action[] =>
  actions.filter(({ places }) => places.includes(place))
