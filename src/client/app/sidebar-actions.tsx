import { Fragment, type ReactNode } from 'react'
import { isAvailable, isPermitted } from '../actions/action.ts'
import { actions } from '../actions/actions.ts'
import { pageContextOf } from '../actions/page-context.ts'
import { t } from '../i18n/translate.ts'
import { useLocation } from '../router/use-location.ts'
import { unreachablePath } from '../state/open-folder.ts'
import { useMay } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import type { IconDrawing } from '../ui/icon.tsx'

export type SidebarItem = {
  readonly icon: IconDrawing
  readonly label: string
  readonly disabled: boolean
  readonly onClick: () => void
}

/**
 * Renders the available actions of the sidebar, except help, which the sidebar itself renders as its last entry. In a
 * folder that could not be opened, the actions keep their places and are disabled.
 */
export function SidebarActions({ renderItem }: { readonly renderItem: (item: SidebarItem) => ReactNode }) {
  useStore(unreachablePath)
  const context = pageContextOf(useLocation(), useMay())
  return actions
    .filter(
      (action) =>
        action.id !== 'help' &&
        action.places.includes('sidebar') &&
        isPermitted(action, context) &&
        action.suits?.(context) !== false,
    )
    .map((action) => (
      <Fragment key={action.id}>
        {renderItem({
          icon: action.icon,
          label: t(action.label),
          disabled: !isAvailable(action, context),
          onClick: () => void action.run(context),
        })}
      </Fragment>
    ))
}
