import type { Action, ActionContext } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { menuEntriesOf } from './menu-entries.ts'
import { t } from '../../i18n/translate.ts'
import { closeContextMenu, type ContextMenuPlace } from '../../state/context-menu.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { PointerMenu } from '../../ui/menu/pointer-menu.tsx'

type ContextMenuProps = { readonly place: ContextMenuPlace; readonly context: ActionContext }

/** Renders the context menu of the listing, with the actions for the selected entries or for the open folder. */
export const ContextMenu = ({ place, context }: ContextMenuProps) => (
  <PointerMenu
    place={place}
    heading={place.on === 'entries' ? headingOf(context) : undefined}
    label={t(place.on === 'entries' ? 'listing.menu' : 'listing.folderMenu')}
    entries={menuEntriesOf(actionsAt(place), context)}
    onClose={closeContextMenu}
  />
)

/** Returns the name of the selected entry, or the number of selected entries. */
export const headingOf = ({ selected: [entry, ...others] }: ActionContext): string | undefined =>
  others.length > 0 ? t('listing.selected', { count: others.length + 1 }) : entry && visibleName(entry.name)

const actionsAt = ({ on }: ContextMenuPlace): readonly Action[] =>
  actions.filter(({ places }) => places.includes(on === 'entries' ? 'entry-menu' : 'folder-menu'))
