import { Fragment, type ReactNode } from 'react'
import { isAvailable, type ActionContext } from '../actions/action.ts'
import { actions } from '../actions/actions.ts'
import { parentOf, root } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import type { Location } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { useMay } from '../state/session.ts'
import type { IconName } from '../ui/icon-names.ts'

export type SidebarItem = { readonly icon: IconName; readonly label: string; readonly onClick: () => void }

/** Renders the available actions of the sidebar, except help, which the sidebar itself renders as its last entry. */
export function SidebarActions({ renderItem }: { readonly renderItem: (item: SidebarItem) => ReactNode }) {
  const context = contextOf(useLocation(), useMay())
  return actions
    .filter(
      (action) => action.id !== 'help' && action.places.includes('sidebar') && isAvailable(action, context),
    )
    .map((action) => (
      <Fragment key={action.id}>
        {renderItem({
          icon: action.icon,
          label: t(`action.${action.id}`),
          onClick: () => void action.run(context),
        })}
      </Fragment>
    ))
}

/** Returns the context in which actions create entries: the open folder, or the folder of the open file. */
function contextOf({ screen, path, isFolder }: Location, may: ActionContext['may']): ActionContext {
  const open = screen === 'files' && path !== null ? path : root
  return { folder: isFolder ? open : parentOf(open), selected: [], may, isMultiple: false }
}
