import { useEffect, useState } from 'react'
import { Info, Settings2 } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { TextViewProps } from '../rows/text-source.ts'
import type { ColumnOrder } from './arrange-rows.ts'
import { TableFormatFields } from './table-format-fields.tsx'
import { TableGrid } from './table-grid.tsx'
import type { TableContent, TableFormat } from './table-messages.ts'
import { useTable } from './use-table.ts'
import styles from './table.module.css'

/** Shows comma-separated values as a table that can be sorted and filtered. A worker holds the rows. */
export function TableView({ name, source, onBroken }: TextViewProps) {
  const [order, setOrder] = useState<ColumnOrder | null>(null)
  const [filter, setFilter] = useState('')
  const [hasHeader, setHasHeader] = useState(true)
  const [isFormatShown, setFormatShown] = useState(false)
  const [format, setFormat] = useState<TableFormat>({ delimiter: null, encoding: null })
  const { content, layout, isArranging, show } = useTable(
    { name, source, format, onBroken },
    { order, filter, hasHeader },
  )
  const sortBy = (column: number): void =>
    setOrder((now) => {
      const isSame = now?.column === column
      return isSame && now.isDescending ? null : { column, isDescending: isSame }
    })
  return (
    <ViewerFrame
      part="table"
      look="document"
      toolbar={{
        label: t('viewer.tableTools'),
        tools: [
          { kind: 'field', content: <FilterField onFilter={setFilter} /> },
          {
            icon: Settings2,
            label: t('viewer.tableFormat'),
            isExpanded: isFormatShown,
            run: () => setFormatShown(!isFormatShown),
          },
        ],
      }}
      banners={
        <>
          {isFormatShown && (
            <div className={styles.formats} data-part="table-format">
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={hasHeader}
                  onChange={(event) => setHasHeader(event.target.checked)}
                />
                {t('viewer.headerRow')}
              </label>
              <TableFormatFields
                format={format}
                hasEncoding={source.kind === 'address'}
                onFormat={setFormat}
              />
            </div>
          )}
          {content?.isCut && <Banner icon={Info}>{t('viewer.rowLimit', { count: content.total })}</Banner>}
        </>
      }
      footer={content !== null && <output data-part="row-count">{countOf(content, isArranging)}</output>}
    >
      {content === null ? (
        <ViewerLoading />
      ) : (
        <TableGrid
          label={visibleName(name)}
          content={content}
          key={format.delimiter}
          layout={layout}
          order={order}
          isBusy={isArranging || !content.isComplete}
          onSort={sortBy}
          onShow={show}
        />
      )}
    </ViewerFrame>
  )
}

function countOf({ shown, total, isComplete }: TableContent, isArranging: boolean): string {
  if (isArranging) return t('viewer.arranging')
  if (!isComplete) return t('viewer.readingRows', { count: total })
  if (shown !== total) return t('viewer.rowsOf', { shown, count: total })
  return t('viewer.rows', { count: total })
}

/** The time after the last letter until the rows are filtered, in milliseconds. */
const restMs = 150

function FilterField({ onFilter }: { readonly onFilter: (filter: string) => void }) {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onFilter(typed), restMs)
    return () => clearTimeout(timer)
  }, [typed, onFilter])
  return (
    <input
      type="search"
      className={styles.filter}
      placeholder={t('viewer.filterRows')}
      aria-label={t('viewer.filterRows')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || typed === '') return
        setTyped('')
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
