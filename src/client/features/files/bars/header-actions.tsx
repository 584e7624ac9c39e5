import { EllipsisVertical } from 'lucide'
import { type Action, type ActionContext, isPermitted, missingSelection } from '../../../actions/action.ts'
import { keyHintOf } from '../../../actions/action-keys.ts'
import { actions } from '../../../actions/actions.ts'
import { contextOfAction } from '../../../actions/page-context.ts'
import { t } from '../../../i18n/translate.ts'
import { detailsPane, detailsQuery } from '../../../state/device/details-pane.ts'
import { useStore } from '../../../state/store.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { ViewControl } from '../view/view-control.tsx'

/**
 * Renders the view control and the actions of a folder: as icons beside the breadcrumb, and on phones with their names in the menu
 * "More" of the page's header. The bar of the selection has the actions that need selected entries.
 */
export function HeaderActions({ context }: { readonly context: ActionContext }) {
  const isPhone = useMedia(mobileQuery)
  const shown = actions.filter((action) => action.places.includes('header') && isPermitted(action, context))
  const areDetailsOn = useStore(detailsPane) === 'on'
  const hasRoom = useMedia(detailsQuery)
  /** The states of the actions that switch something on and off. */
  const pressed: Readonly<Record<string, boolean | undefined>> = {
    'select-multiple': context.isMultiple,
    info: hasRoom ? areDetailsOn : undefined,
  }
  const run = (action: Action) => (): void => void action.run(contextOfAction(action, context))
  return (
    <>
      <Fill slot="folder-actions">
        <ViewControl folder={context.folder} />
        {!isPhone &&
          shown.map((action) => (
            <IconButton
              key={action.id}
              icon={action.icon}
              label={t(action.label)}
              hint={keyHintOf(action)}
              aria-pressed={pressed[action.id]}
              onClick={run(action)}
            />
          ))}
      </Fill>
      {isPhone && (
        <Fill slot="header-actions">
          <MenuButton
            icon={EllipsisVertical}
            label={t('buttons.more')}
            entries={shown.map((action) => ({
              id: action.id,
              label: t(action.label),
              icon: action.icon,
              isDisabled: missingSelection(action, contextOfAction(action, context)) !== null,
              run: run(action),
            }))}
          />
        </Fill>
      )}
    </>
  )
}
