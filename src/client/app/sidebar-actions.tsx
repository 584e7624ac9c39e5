import { Fragment, type ReactNode } from 'react'
import { isAvailable, type Scene } from '../actions/action.ts'
import { actions } from '../actions/actions.ts'
import { parentOf, root } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import type { Location } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { may } from '../state/session.ts'
import type { IconName } from '../ui/icon-names.ts'

export type SidebarItem = { readonly icon: IconName; readonly label: string; readonly onClick: () => void }

/** The verbs of the list that have their place in the sidebar and are allowed, but for help, which stands last there. */
export function SidebarActions({ renderItem }: { readonly renderItem: (item: SidebarItem) => ReactNode }) {
  const scene = sceneOf(useLocation())
  return actions
    .filter(
      (action) => action.id !== 'help' && action.places.includes('sidebar') && isAvailable(action, scene),
    )
    .map((action) => (
      <Fragment key={action.id}>
        {renderItem({
          icon: action.icon,
          label: t(`action.${action.id}`),
          onClick: () => void action.run(scene),
        })}
      </Fragment>
    ))
}

/** The folder that new things are made in: the open one, or that of the open file. */
function sceneOf({ screen, path, isFolder }: Location): Scene {
  const open = screen === 'files' && path !== null ? path : root
  return { folder: isFolder ? open : parentOf(open), selected: [], may, isMultiple: false }
}
