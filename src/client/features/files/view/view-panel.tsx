import type { ViewMode } from '../../../../shared/contract/fields/user-fields.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { type GridView, gridViewOf } from '../../../listing/grid/grid-view.ts'
import { type PanelPlace, ViewChoices } from '../../../listing/view/view-choices.tsx'
import { useViewMode } from '../../../state/device/folder-views.ts'
import { openFolder } from '../../../state/open-folder.ts'
import { useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { showViewEverywhere } from '../open-folder/preferences.ts'
import { wantedOrder } from '../open-folder/wanted-order.ts'

type ViewPanelProps = PanelPlace & { readonly folder: Path }

const modes: Readonly<Record<GridView, ViewMode>> = {
  list: 'list',
  mosaic: 'mosaic',
  gallery: 'mosaic gallery',
}

/**
 * Renders the choices of the view control of the open folder. A chosen order is shown at once, before the rows have it. A view that is
 * not the user's default can be made that of all folders.
 */
export function ViewPanel({ folder: path, ...place }: ViewPanelProps) {
  const mode = useViewMode(path)
  const isDefault = useUser()?.viewMode === mode
  const folder = useStore(openFolder)
  const wanted = useStore(wantedOrder)
  return (
    <ViewChoices
      {...place}
      view={gridViewOf(mode)}
      order={wanted ?? folder?.sortedBy ?? null}
      onView={(view) => void openFolder.get()?.showView(modes[view])}
      onSort={(by) => void folder?.sortBy(by)}
    >
      {!isDefault && <Button onClick={() => showViewEverywhere(mode)}>{t('listing.viewEverywhere')}</Button>}
    </ViewChoices>
  )
}
