import { EllipsisVertical } from 'lucide'
import { type Action, type ActionContext, isPermitted, missingSelection } from '../../../actions/action.ts'
import { keyHintOf } from '../../../actions/action-keys.ts'
import { actions } from '../../../actions/actions.ts'
import { contextOfAction } from '../../../actions/page-context.ts'
import { showGallery, showList, showMosaic } from '../../../actions/show-view.ts'
import { t } from '../../../i18n/translate.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import type { IconDrawing } from '../../../ui/icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'

type HeaderActionsProps = {
  readonly context: ActionContext
  /** The context of the actions for entries while results of a search are selected, or null. */
  readonly results?: ActionContext | null
  readonly view?: GridView
  /** True while the rows of the folder are not known yet. All actions keep their places and are disabled. */
  readonly isLoading?: boolean
}

/** The button that switches the view shows the icon and the name of the view that follows. */
const nextView: Readonly<Record<GridView, Action>> = {
  list: showMosaic,
  mosaic: showGallery,
  gallery: showList,
}

/**
 * Renders the actions of a folder in the header: as icons on wide screens, and on phones with their names in the menu "More". An
 * icon that the selection does not allow keeps its place and shows the reason.
 */
export function HeaderActions({
  context: open,
  results = null,
  view = 'list',
  isLoading = false,
}: HeaderActionsProps) {
  const isPhone = useMedia(mobileQuery)
  const contextOf = (action: Action): ActionContext => contextOfAction(action, open, results)
  const shown = actions.filter(
    (action) =>
      (action.places.includes('header') || (isPhone && isOtherView(action, open))) &&
      isPermitted(action, open),
  )
  const next = nextView[view]
  const reasonOf = (action: Action): string | undefined => {
    if (isLoading) return t('shell.loading')
    const missing = missingSelection(action, contextOf(action))
    return missing === null ? undefined : t(`action.needs.${missing}`)
  }
  const iconOf = ({ id, icon }: Action): IconDrawing => (id === 'switch-view' ? next.icon : icon)
  return (
    <Fill slot="header-actions">
      {isPhone ? (
        <MenuButton
          icon={EllipsisVertical}
          label={t('buttons.more')}
          entries={shown.filter(isInPhoneMenu).map((action) => ({
            id: action.id,
            label: t(action.label),
            icon: action.icon,
            isDisabled: reasonOf(action) !== undefined,
            run: () => void action.run(contextOf(action)),
          }))}
        />
      ) : (
        shown.map((action) => (
          <IconButton
            key={action.id}
            icon={iconOf(action)}
            label={t(action.label)}
            hint={action.id === 'switch-view' ? t(next.label) : keyHintOf(action)}
            blockedBy={reasonOf(action)}
            badge={action.id === 'download' ? contextOf(action).selected.length : undefined}
            aria-pressed={action.id === 'select-multiple' ? open.isMultiple : undefined}
            onClick={() => void action.run(contextOf(action))}
          />
        ))
      )}
    </Fill>
  )
}

/** Returns true for the actions in the menu of phones. The bar of the selection has the others, and the menu names the views. */
const isInPhoneMenu = ({ id, takes }: Action): boolean =>
  id !== 'switch-view' && (takes === 'any' || takes === 'nothing')

/** Returns true for the actions that show a view directly, which the menu of phones offers instead of a switch. */
const isOtherView = ({ menuGroup, suits }: Action, context: ActionContext): boolean =>
  menuGroup === 'view' && suits?.(context) === true
