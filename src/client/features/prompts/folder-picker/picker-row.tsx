import type { CSSProperties, MouseEvent } from 'react'
import { ChevronDown, ChevronRight, RefreshCw } from 'lucide'
import { nameOf } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import type { TreeRow } from '../../../listing/tree/tree-rows.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { directed, Icon } from '../../../ui/icon.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './folder-picker.module.css'

type PickerRowProps = {
  readonly row: TreeRow
  /** True for the row that the Tab key reaches. */
  readonly isStop: boolean
  readonly isChosen: boolean
  readonly onClick: (event: MouseEvent) => void
}

/** Renders a row of the folder picker: a folder with the arrow that shows its subfolders, or a text that is pressed. */
export function PickerRow({ row, isStop, isChosen, onClick }: PickerRowProps) {
  const shared = {
    role: 'treeitem',
    className: styles.option,
    style: { '--level': row.level - 1 } as CSSProperties,
    tabIndex: isStop ? 0 : -1,
    'aria-level': row.level,
    onClick,
  }
  if (row.kind !== 'folder') {
    return (
      <div {...shared}>
        <span className={styles.arrow}>{row.kind === 'failed' && <Icon icon={RefreshCw} size={14} />}</span>
        <span className={styles.note}>
          {row.kind === 'more' ? t('tree.more', { count: row.hidden }) : t('tree.failed')}
        </span>
      </div>
    )
  }
  const name = nameOf(row.folder) || t('sidebar.myFiles')
  return (
    <div
      {...shared}
      aria-label={visibleName(name)}
      aria-selected={isChosen}
      aria-expanded={row.isLeaf ? undefined : row.isExpanded}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-busy={row.isLoading || undefined}
      data-folder={row.folder}
    >
      <span className={styles.arrow} data-chevron={row.isLeaf ? undefined : ''}>
        <Arrow row={row} />
      </span>
      <FilePicture name={row.name} isFolder isLink={false} isBroken={false} type="" size={20} />
      <FileName name={name} />
    </div>
  )
}

function Arrow({ row }: { readonly row: Extract<TreeRow, { kind: 'folder' }> }) {
  if (row.isLoading) return <Spinner />
  // An arrow that would disappear again is not shown before the subfolders are known.
  if (row.isLeaf !== false) return null
  return <Icon icon={row.isExpanded ? ChevronDown : directed(ChevronRight)} size={14} />
}
