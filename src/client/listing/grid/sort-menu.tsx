import { lazy, Suspense, useRef, useState } from 'react'
import type { ListingOrder, SortKey } from '../../../shared/domain/sorting.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { listColumns } from '../sizes/column-widths.ts'
import styles from './grid-header.module.css'

const Menu = lazy(() => import('../../ui/menu/menu.tsx').then((module) => ({ default: module.Menu })))

type SortMenuProps = { readonly order: ListingOrder; readonly onSort: (by: SortKey) => void }

/** Renders the button that names the sort order and opens a menu to change it. Narrow lists have it instead of headings. */
export function SortMenu({ order, onSort }: SortMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const column = t(listColumns.find(({ by }) => by === order.by)?.label ?? 'listing.name')
  const direction = t(order.descending ? 'listing.descending' : 'listing.ascending')
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.sort}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`${t('listing.sortedBy', { column })}, ${direction}`}
        onClick={() => setOpen(!isOpen)}
      >
        {t('listing.sortedBy', { column })}
        <Icon name={order.descending ? 'arrow-down' : 'arrow-up'} size={14} />
      </button>
      {isOpen && (
        <Suspense>
          <Menu
            label={t('listing.sort')}
            entries={entriesOf(order, onSort)}
            anchor={button}
            placement="bottom start"
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** `onSort` sorts by a column, or reverses the order when the rows are sorted by that column. */
function entriesOf(order: ListingOrder, onSort: SortMenuProps['onSort']): readonly MenuEntry[] {
  return [
    ...listColumns.map(({ by, label }) => ({
      id: by,
      label: t(label),
      isChosen: order.by === by,
      run: () => order.by !== by && onSort(by),
    })),
    { kind: 'separator', id: 'direction' },
    ...[false, true].map((descending) => ({
      id: String(descending),
      label: t(descending ? 'listing.descending' : 'listing.ascending'),
      isChosen: order.descending === descending,
      run: () => order.descending !== descending && onSort(order.by),
    })),
  ]
}
