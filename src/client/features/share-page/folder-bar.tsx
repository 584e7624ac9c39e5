import { Download, Images, LayoutGrid, ListChecks, Rows3 } from 'lucide'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import { t } from '../../i18n/translate.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import { deselectRows, setMultipleMode } from '../../listing/grid/select-in-lists.ts'
import { SortMenu } from '../../listing/grid/sort-menu.tsx'
import type { FolderRows } from '../../listing/rows/folder-rows.ts'
import { listColumns } from '../../listing/sizes/column-widths.ts'
import { type Selection, selectAll } from '../../state/selection.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { IconDrawing } from '../../ui/icon.tsx'
import { guestListing } from './guest-listing.ts'
import { chooseView } from './guest-view.ts'
import { ShareBreadcrumb } from './share-breadcrumb.tsx'
import { isShareRoot, type SharePath } from './share-address.ts'
import { useDownloadBlock } from './share-download.ts'
import styles from './share-page.module.css'

type FolderBarProps = {
  readonly path: SharePath
  readonly rows: FolderRows
  readonly selection: Selection
  readonly view: GridView
  readonly onSort: (by: SortKey) => void
  /** Downloads the selected entries, or the folder. Null where guests may not download. */
  readonly download: (() => void) | null
  /** True when one request cannot name all the selected entries. */
  readonly isTooMany: boolean
}

/** The button that switches the view shows the icon and the name of the view that follows. */
const nextViews = {
  list: { view: 'mosaic', icon: LayoutGrid },
  mosaic: { view: 'gallery', icon: Images },
  gallery: { view: 'list', icon: Rows3 },
} as const satisfies Record<GridView, { readonly view: GridView; readonly icon: IconDrawing }>

/**
 * Renders the bar above the rows: the breadcrumb, the selection, and the buttons for the view and the download. A shared
 * folder that is empty has none of them.
 */
export function FolderBar(props: FolderBarProps) {
  const { path, rows, selection, view, onSort, download, isTooMany } = props
  const { total } = rows.summary
  const { count } = selection.chosen
  const next = nextViews[view]
  const block = useDownloadBlock()
  if (total === 0 && isShareRoot(path)) return null
  return (
    <div className={styles.bar}>
      <ShareBreadcrumb path={path} />
      {total > 0 && (
        <div className={styles.tools}>
          {download !== null && (
            <Checkbox
              label={count === 0 ? t('action.select-all') : t('listing.selected', { count })}
              checked={count === total}
              isMixed={count > 0 && count < total}
              onChange={() =>
                count === total
                  ? deselectRows([guestListing])
                  : guestListing.selection.set((now) => selectAll(now, rows))
              }
            />
          )}
          {view !== 'list' && (
            <span className={styles.sort}>
              <SortMenu
                columns={listColumns}
                order={rows.sortedBy}
                onSort={(by) => by !== 'folder' && onSort(by)}
              />
            </span>
          )}
          <IconButton
            icon={next.icon}
            label={t('action.switch-view')}
            hint={t(`action.show-${next.view}`)}
            onClick={() => chooseView(path, next.view)}
          />
          {download !== null && (
            <>
              <IconButton
                icon={ListChecks}
                label={t('action.select-multiple')}
                aria-pressed={selection.isMultiple}
                onClick={() => setMultipleMode([guestListing], !selection.isMultiple)}
              />
              {/* The page has a larger button that downloads everything. */}
              {count > 0 && (
                <IconButton
                  ref={leaveFocusBefore}
                  icon={Download}
                  label={t('guest.downloadSelected')}
                  badge={count}
                  blockedBy={block ?? (isTooMany ? t('guest.tooMany') : undefined)}
                  onClick={download}
                />
              )}
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** Moves the focus from a button that is removed to the button before it. The page would lose the focus otherwise. */
const leaveFocusBefore = (button: HTMLButtonElement | null) => () => {
  const before = button?.previousElementSibling
  if (button === document.activeElement && before instanceof HTMLElement) before.focus()
}
