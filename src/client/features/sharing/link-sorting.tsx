import { ArrowDown, ArrowUp } from 'lucide'
import { t, type PlainMessageId } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { LinkColumn, LinkOrder } from './arrange-links.ts'
import styles from './sharing.module.css'

type LinkSortingProps = {
  readonly columns: readonly LinkColumn[]
  readonly order: LinkOrder
  readonly onSort: (order: LinkOrder) => void
}

/** The text of each column's heading. */
const headings: Readonly<Record<LinkColumn, PlainMessageId>> = {
  path: 'share.path',
  end: 'share.duration',
  owner: 'share.owner',
}

/** Renders the headings of the columns. A click sorts by a column, and a second click reverses the order. */
export const SortedHeads = ({ columns, order, onSort }: LinkSortingProps) =>
  columns.map((column) => {
    const isSorted = order?.by === column
    const isDescending = isSorted && order.isDescending
    return (
      <th
        key={column}
        scope="col"
        aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button
          type="button"
          className={styles.sort}
          onClick={() => onSort({ by: column, isDescending: isSorted && !isDescending })}
        >
          {t(headings[column])}
          {isSorted && <Icon icon={isDescending ? ArrowDown : ArrowUp} size={14} />}
        </button>
        <span className={styles.cardHeading}>{t(headings[column])}</span>
      </th>
    )
  })

/** Renders the choice of the order for narrow screens, where the table has no visible headings. */
export const SortField = ({ columns, order, onSort }: LinkSortingProps) => (
  <div className={styles.sorting}>
    <SelectField
      label={t('listing.sort')}
      value={order?.by ?? ''}
      options={[
        { value: '', label: t('share.unsorted') },
        ...columns.map((column) => ({ value: column, label: t(headings[column]) })),
      ]}
      onChange={({ target }) => {
        const by = columns.find((column) => column === target.value)
        onSort(by === undefined ? null : { by, isDescending: false })
      }}
    />
    {order !== null && (
      <Button
        icon={order.isDescending ? ArrowDown : ArrowUp}
        onClick={() => onSort({ ...order, isDescending: !order.isDescending })}
      >
        {t(order.isDescending ? 'listing.descending' : 'listing.ascending')}
      </Button>
    )}
  </div>
)
