import { useRef, useState } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { showGallery, showList, showMosaic } from '../../../actions/show-view.ts'
import { t } from '../../../i18n/translate.ts'
import { type GridView, gridViewOf } from '../../../listing/grid/grid-view.ts'
import { useViewMode } from '../../../state/device/folder-views.ts'
import type { IconDrawing } from '../../../ui/icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { WaitingMenu } from '../../../ui/later-menu.ts'
import { filesAfterRows } from '../parts/load-after-rows.ts'

const ViewPanel = filesAfterRows.part((module) => module.ViewPanel, WaitingMenu)

const icons: Readonly<Record<GridView, IconDrawing>> = {
  list: showList.icon,
  mosaic: showMosaic.icon,
  gallery: showGallery.icon,
}

type ViewControlProps = { readonly folder: Path }

/** Renders the button with the icon of the current view, which opens the choices of the view, the order and the sizes. */
export function ViewControl({ folder }: ViewControlProps) {
  // The cache that the compiler would add makes the first page larger than this button is worth.
  'use no memo'
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        icon={icons[gridViewOf(useViewMode(folder))]}
        label={t('settings.viewMode')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <ViewPanel folder={folder} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
