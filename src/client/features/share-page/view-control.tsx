import { useRef, useState } from 'react'
import { Images, LayoutGrid, Rows3 } from 'lucide'
import type { ListingOrder, SortKey } from '../../../shared/domain/sorting.ts'
import { t } from '../../i18n/translate.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import type { IconDrawing } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { WaitingMenu } from '../../ui/later-menu.ts'
import { folderAfterRows } from './folder-after-rows.ts'
import { chooseView } from './guest-view.ts'
import type { SharePath } from './share-address.ts'

const ViewChoices = folderAfterRows.part((module) => module.ViewChoices, WaitingMenu)

const icons: Readonly<Record<GridView, IconDrawing>> = { list: Rows3, mosaic: LayoutGrid, gallery: Images }

type GuestViewControlProps = {
  readonly path: SharePath
  readonly view: GridView
  readonly order: ListingOrder
  readonly onSort: (by: SortKey) => void
}

/** Renders the button with the icon of the current view, which opens the choices of the view, the order and the sizes. */
export function GuestViewControl({ path, view, order, onSort }: GuestViewControlProps) {
  // The cache that the compiler would add makes the page larger than this button is worth.
  'use no memo'
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={anchor}
        icon={icons[view]}
        label={t('settings.viewMode')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <ViewChoices
          {...{ view, order, onSort, anchor }}
          onView={(chosen) => chooseView(path, chosen)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
