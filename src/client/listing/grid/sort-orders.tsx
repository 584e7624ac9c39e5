import type { RefObject } from 'react'
import { t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/menu/menu.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import type { SortMenuProps } from './sort-menu.tsx'

type SortOrdersProps = SortMenuProps & {
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

/** Renders the open menu of the sort orders: the columns, and both directions. */
export const SortOrders = ({ anchor, onClose, ...choice }: SortOrdersProps) => (
  <Menu
    label={t('listing.sort')}
    entries={entriesOf(choice)}
    anchor={anchor}
    placement="bottom start"
    onClose={onClose}
  />
)

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
