import { useRef } from 'react'
import {
  type Action,
  type ActionContext,
  isPermitted,
  menuGroups,
  missingSelection,
} from '../../actions/action.ts'
import { keyHintOf } from '../../actions/action-keys.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { closeContextMenu, type ContextMenuPlace } from '../../state/context-menu.ts'
import { Menu } from '../../ui/menu/menu.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { mobileQuery, useMedia } from '../../ui/use-media.ts'

type ContextMenuProps = { readonly place: ContextMenuPlace; readonly context: ActionContext }

/**
 * Renders the context menu of the listing, with the actions for the selected entries or for the open folder. The menu is
 * beside the pointer and not below it, because React Aria then moves a high menu up until it fits into the window.
 */
export function ContextMenu({ place, context }: ContextMenuProps) {
  const anchor = useRef<HTMLDivElement>(null)
  const isMobile = useMedia(mobileQuery)
  return (
    <>
      <div ref={anchor} style={{ position: 'fixed', left: place.x, top: place.y }} />
      <Menu
        key={`${place.x} ${place.y}`}
        label={t(place.on === 'entries' ? 'listing.menu' : 'listing.folderMenu')}
        entries={entriesOf(place, context)}
        anchor={anchor}
        placement={isMobile ? 'bottom start' : 'end top'}
        isSheet
        onClose={closeContextMenu}
      />
    </>
  )
}

/** Returns the permitted actions by group, with a line between two groups. */
const entriesOf = ({ on }: ContextMenuPlace, context: ActionContext): readonly MenuEntry[] =>
  menuGroups
    .map((group) => groupOf(group, on, context))
    .filter((entries) => entries.length > 0)
    .flatMap((entries, at): readonly MenuEntry[] =>
      at === 0 ? entries : [{ kind: 'separator', id: `line ${at}` }, ...entries],
    )

const groupOf = (
  group: (typeof menuGroups)[number],
  on: ContextMenuPlace['on'],
  context: ActionContext,
): readonly MenuEntry[] =>
  actions
    .filter(
      (action) =>
        action.menuGroup === group &&
        action.places.includes(on === 'entries' ? 'entry-menu' : 'folder-menu') &&
        isPermitted(action, context) &&
        !isReplaced(action, context) &&
        action.suits?.(context) !== false,
    )
    .map((action) => {
      const missing = missingSelection(action, context)
      const hint = missing === null ? keyHintOf(action) : t(`action.needs.${missing}`)
      return {
        id: action.id,
        label: t(`action.${action.id}`),
        icon: action.icon,
        ...(hint !== undefined && { hint }),
        isDangerous: group === 'delete',
        isDisabled: missing !== null,
        isChosen: action.isChosen?.() === true,
        run: () => void action.run(context),
      }
    })

/** Returns true while several entries are selected and another action for them takes the place of an action. */
const isReplaced = ({ id }: Action, { selected }: ActionContext): boolean =>
  selected.length > 1 && actions.some(({ severalOf }) => severalOf === id)
