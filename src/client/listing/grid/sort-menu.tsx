import { useRef, useState } from 'react'
import { ArrowDown, ArrowUp } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/later-menu.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import type { ColumnKey, HeadingOrder, ListColumn } from '../sizes/column-widths.ts'
import styles from './grid-header.module.css'

export type SortMenuProps = {
  readonly columns: readonly ListColumn[]
  readonly order: HeadingOrder
  /** Sorts by a column, or reverses the order when the rows are sorted by that column. */
  readonly onSort: (by: ColumnKey) => void
}

/** Renders the button that names the sort order and opens a menu to change it. Narrow lists have it instead of headings. */
export function SortMenu({ columns, order, onSort }: SortMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const column = t(columns.find(({ by }) => by === order.by)?.label ?? 'listing.name')
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
        <Icon icon={order.descending ? ArrowDown : ArrowUp} size={14} />
      </button>
      {isOpen && (
        <Menu
          label={t('listing.sort')}
          entries={entriesOf({ columns, order, onSort })}
          anchor={button}
          placement="bottom start"
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Returns the columns, and below a line the directions. The current ones are marked. */
function entriesOf({ columns, order, onSort }: SortMenuProps): readonly MenuEntry[] {
  return [
    ...columns.map(({ by, label }) => ({
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
