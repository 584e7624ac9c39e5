import { type Action, isAvailable, type Scene } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import type { IconName } from '../../../ui/icon-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/use-media.ts'
import { keyLabel } from '../keyboard/key-combination.ts'

type HeaderActionsProps = { readonly scene: Scene; readonly view: 'list' | 'mosaic' }

/** The verbs in the header: icons where there is room, behind More with their names on phones. */
export function HeaderActions({ scene, view }: HeaderActionsProps) {
  const isPhone = useMedia(mobileQuery)
  const shown = actions.filter((action) => action.places.includes('header') && isAvailable(action, scene))
  const iconOf = (action: Action): IconName =>
    action.id === 'switch-view' && view === 'mosaic' ? 'list' : action.icon
  return (
    <Fill slot="header-actions">
      {isPhone ? (
        <MenuButton
          icon="more"
          label={t('buttons.more')}
          entries={shown.map((action) => ({
            id: action.id,
            label: t(`action.${action.id}`),
            icon: iconOf(action),
            run: () => void action.run(scene),
          }))}
        />
      ) : (
        shown.map((action) => (
          <IconButton
            key={action.id}
            icon={iconOf(action)}
            label={t(`action.${action.id}`)}
            hint={action.keys[0] === undefined ? undefined : keyLabel(action.keys[0])}
            badge={action.id === 'download' ? scene.selected.length : undefined}
            aria-pressed={action.id === 'select-multiple' ? scene.isMultiple : undefined}
            onClick={() => void action.run(scene)}
          />
        ))
      )}
    </Fill>
  )
}
