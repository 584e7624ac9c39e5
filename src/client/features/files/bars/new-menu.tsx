import { Plus } from 'lucide'
import type { Path } from '../../../../shared/domain/path.ts'
import { isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { useMay } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import styles from './new-menu.module.css'

/**
 * Renders the button "New" with the actions that add entries to the folder. Renders nothing without permission. The button
 * stays in the page while the rows of the next folder arrive, so that its menu stays open. `path` is the folder of the
 * address. On phones the button floats above the list within reach of the thumb.
 */
export function NewMenu({ path }: { readonly path: Path }) {
  const isFloating = useMedia(mobileQuery)
  const { folder, chosen, isMultiple } = useStore(folderListing.selection)
  const context = { folder: path, selected: [], may: useMay(), isMultiple: false }
  const isFiltered = useStore(folderListing.filter) !== null
  // On phones, the button would cover the results of a search and the bar of the selection.
  if (isFloating && (isFiltered || isMultiple || (folder === path && chosen.count > 0))) return null
  const offered = actions.filter(
    (action) => action.places.includes('new-menu') && isAvailable(action, context),
  )
  if (offered.length === 0) return null
  return (
    <MenuButton
      icon={Plus}
      label={t('buttons.new')}
      kind={isFloating ? 'icon' : 'primary'}
      className={isFloating ? styles.floating : undefined}
      placement={isFloating ? 'top end' : 'bottom end'}
      entries={offered.map((action) => ({
        id: action.id,
        label: t(action.label),
        icon: action.icon,
        run: () => void action.run(context),
      }))}
    />
  )
}
