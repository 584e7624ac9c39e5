import type { RefObject } from 'react'
import { t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/later-menu.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { isSortable } from '../sizes/column-widths.ts'
import type { SortMenuProps } from './sort-menu.tsx'

type SortMenuListProps = SortMenuProps & {
  /** The button below which the menu opens. */
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

/** Renders the menu with which the user changes the sort order. */
export const SortMenuList = ({ anchor, onClose, ...props }: SortMenuListProps) => (
  <Menu
    label={t('listing.sort')}
    entries={entriesOf(props)}
    anchor={anchor}
    placement="bottom start"
    onClose={onClose}
  />
)

/** Returns the columns, and below a line the directions. The current ones are marked. */
function entriesOf({ columns, order, onSort }: SortMenuProps): readonly MenuEntry[] {
  return [
    ...columns.filter(isSortable).map(({ by, label }) => ({
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
