import { useRef, useState } from 'react'
import { showGallery, showList, showMosaic } from '../../../actions/show-view.ts'
import { t } from '../../../i18n/translate.ts'
import { type GridView, gridViewOf } from '../../../listing/grid/grid-view.ts'
import { useUser } from '../../../state/session.ts'
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

/** Renders the button with the icon of the current view, which opens the choices of the view, the order and the sizes. */
export function ViewControl() {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        icon={icons[gridViewOf(useUser()?.viewMode)]}
        label={t('settings.viewMode')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <ViewPanel anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
