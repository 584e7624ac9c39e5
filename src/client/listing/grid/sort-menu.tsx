import { useRef, useState } from 'react'
import { ArrowDown, ArrowUp } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { WaitingMenu } from '../../ui/later-menu.ts'
import { listingAfterRows } from '../parts/load-after-rows.ts'
import type { ColumnKey, HeadingOrder, ListColumn } from '../sizes/column-widths.ts'
import styles from './grid-header.module.css'

export type SortMenuProps = {
  readonly columns: readonly ListColumn[]
  readonly order: HeadingOrder
  /** Sorts by a column, or reverses the order when the rows are sorted by that column. */
  readonly onSort: (by: ColumnKey) => void
}

/** The entries of the menu are not needed before it is opened. */
const SortMenuList = listingAfterRows.part((module) => module.SortMenuList, WaitingMenu)

/** Renders the button that names the sort order and opens a menu to change it. Narrow lists have it instead of headings. */
export function SortMenu({ columns, order, onSort }: SortMenuProps) {
  // The cache that the compiler would add makes the first page larger than this button is worth.
  'use no memo'
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
        <SortMenuList {...{ columns, order, onSort }} anchor={button} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
