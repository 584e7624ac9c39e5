import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { CompactHeader, GridHeader } from '../../listing/grid/grid-header.tsx'
import { type GridView, gridViewOf } from '../../listing/grid/grid-view.ts'
import { lastOrder } from '../../listing/rows/last-order.ts'
import { listColumns, useColumnStyle } from '../../listing/sizes/column-widths.ts'
import { tileSize } from '../../listing/sizes/tile-size.ts'
import { useViewMode } from '../../state/device/folder-views.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { Slot } from '../../ui/slot.tsx'
import { HeaderActions } from './bars/header-actions.tsx'
import barStyles from './bars/status-bar.module.css'
import styles from './loading-listing.module.css'

/**
 * Renders a folder while the server takes a long time to respond: the same actions and status bar as for a folder with
 * rows, and placeholders that have the sizes of the rows, so that nothing moves when the rows arrive.
 */
export function LoadingListing({ path }: { readonly path: Path }) {
  const view = gridViewOf(useViewMode(path))
  const context = { folder: path, selected: [], may: useMay(), isMultiple: false }
  return (
    <>
      <HeaderActions context={context} />
      <ListingPlaceholder view={view} />
      <EmptyStatusBar />
    </>
  )
}

/** Renders the status bar of a folder whose rows are not known yet. */
const EmptyStatusBar = () => (
  <footer className={barStyles.bar} data-part="status">
    <Slot name="status" className={barStyles.end} />
  </footer>
)

const rows = Array.from({ length: 12 }, (_, at) => at)

function ListingPlaceholder({ view }: { readonly view: GridView }) {
  const order = useStore(lastOrder)
  const style = { ...useColumnStyle(), '--tile-size': `${useStore(tileSize)}px` }
  return (
    <output className={classNames(styles.skeleton, styles[view])} style={style}>
      <span className="visually-hidden">{t('shell.loading')}</span>
      {view === 'list' ? (
        <div className={styles.header} inert>
          <div className={styles.columns}>
            <GridHeader columns={listColumns} order={order} onSort={ignore} onLeave={ignore} />
          </div>
          <div className={styles.compact}>
            <CompactHeader columns={listColumns} order={order} onSort={ignore} />
          </div>
        </div>
      ) : (
        <span className={styles.heading} />
      )}
      {rows.map((row) => (
        <span key={row} className={styles.row} data-part="skeleton-row">
          <span className={styles.glyph} />
          <span className={styles.name} />
          <span className={styles.fact} />
          <span className={styles.fact} />
        </span>
      ))}
    </output>
  )
}

/** The headings cannot be pressed as long as there are no rows to sort. */
const ignore = (): void => undefined
