import { Download, ListChecks } from 'lucide'
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
import { folderAfterRows } from './folder-after-rows.ts'
import { guestListing } from './guest-listing.ts'
import { ShareBreadcrumb } from './share-breadcrumb.tsx'
import { isShareRoot, type SharePath } from './share-address.ts'
import { useDownloadBlock } from './share-download.ts'
import { GuestViewControl } from './view-control.tsx'
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

const SelectedSize = folderAfterRows.part((module) => module.SelectedSize)

/**
 * Renders the bar above the rows: the breadcrumb, the selection, and the buttons for the view and the download. A shared
 * folder that is empty has none of them.
 */
export function FolderBar(props: FolderBarProps) {
  const { path, rows, selection, view, onSort, download, isTooMany } = props
  const { total } = rows.summary
  const { count } = selection.chosen
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
          {download !== null && count > 0 && (
            <span className={styles.muted}>
              <SelectedSize rows={rows} chosen={selection.chosen} />
            </span>
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
          <GuestViewControl {...{ path, view, onSort }} order={rows.sortedBy} />
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
