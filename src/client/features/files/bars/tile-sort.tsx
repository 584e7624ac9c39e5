import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { SortMenu } from '../../../listing/grid/sort-menu.tsx'
import { listColumns } from '../../../listing/sizes/column-widths.ts'
import { openFolder } from '../../../state/open-folder.ts'
import { useUser } from '../../../state/session.ts'
import { Fill } from '../../../ui/slot.tsx'
import styles from './tile-sort.module.css'

/**
 * Renders the button for the sort order of the mosaic and of the gallery, which have no column headings: beside the
 * breadcrumb, and on phones in a row below it, where the list has the same button.
 */
export function TileSort({ rows }: { readonly rows: FolderRows }) {
  if (useUser()?.viewMode === 'list' || rows.summary.total === 0) return null
  return (
    <Fill slot="folder-bar">
      <div className={styles.sort} data-part="tile-sort">
        <SortMenu
          columns={listColumns}
          order={rows.sortedBy}
          onSort={(by) => by !== 'folder' && void openFolder.get()?.sortBy(by)}
        />
      </div>
    </Fill>
  )
}
