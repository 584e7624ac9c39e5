import { type ActionContext, isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import styles from './new-menu.module.css'

type NewMenuProps = {
  readonly context: ActionContext
  /** True on phones, where the button floats above the list within reach of the thumb. */
  readonly isFloating: boolean
}

/** Renders the button "New" with the actions that add entries to the folder. Renders nothing without permission. */
export function NewMenu({ context, isFloating }: NewMenuProps) {
  const offered = actions.filter(
    (action) => action.places.includes('new-menu') && isAvailable(action, context),
  )
  if (offered.length === 0) return null
  return (
    <MenuButton
      icon="plus"
      label={t('buttons.new')}
      kind={isFloating ? 'icon' : 'primary'}
      className={isFloating ? styles.floating : undefined}
      placement={isFloating ? 'top end' : 'bottom end'}
      entries={offered.map((action) => ({
        id: action.id,
        label: t(`action.${action.id}`),
        icon: action.icon,
        run: () => void action.run(context),
      }))}
    />
  )
}
