import type { Action, ActionContext } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { contextOfAction, resultContext } from '../../actions/page-context.ts'
import { withFoundItems } from './found-items.ts'
import { menuEntriesOf } from './menu-entries.ts'
import { t } from '../../i18n/translate.ts'
import { closeContextMenu, type ContextMenuPlace } from '../../state/context-menu.ts'
import { useStore } from '../../state/store.ts'
import { visibleName } from '../../ui/visible-name.ts'
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
  const isOnResults = isOnEntries && results !== null
  const entries = menuEntriesOf(actionsAt(place), (action) => contextOfAction(action, open, context))
  return (
    <PointerMenu
      place={place}
      heading={isOnEntries ? headingOf(context) : undefined}
      label={t(isOnEntries ? 'listing.menu' : 'listing.folderMenu')}
      entries={isOnResults ? withFoundItems(entries, context) : entries}
      onClose={closeContextMenu}
    />
  )
}

/** Returns the name of the selected entry, or the number of selected entries. */
const headingOf = ({ selected: [entry, ...others] }: ActionContext): string | undefined =>
  others.length > 0 ? t('listing.selected', { count: others.length + 1 }) : entry && visibleName(entry.name)

const actionsAt = ({ on }: ContextMenuPlace): readonly Action[] =>
  actions.filter(({ places }) => places.includes(on === 'entries' ? 'entry-menu' : 'folder-menu'))
