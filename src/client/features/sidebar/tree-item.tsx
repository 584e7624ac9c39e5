import { useCallback, useEffect, useRef, type CSSProperties, type MouseEvent } from 'react'
import { ChevronDown, ChevronRight, Folder, RefreshCw } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { filesUrl } from '../../router/router.ts'
import { isDrawerOpen } from '../../state/device/sidebar.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon, directed } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { checkForSubfolders } from '../../subfolders/leaf-folders.ts'
import type { TreeRow } from '../../listing/tree/tree-rows.ts'
import styles from './sidebar-parts.module.css'

type TreeItemProps = {
  readonly row: TreeRow
  /** True for the row that the Tab key reaches. */
  readonly isStop: boolean
  /** True for the row of the folder on screen. */
  readonly isOpen: boolean
  readonly onFocus: () => void
  readonly onToggle: () => void
}

/** Renders one line of the folder tree: a folder as a link with a chevron, or a button for more or for another try. */
export function TreeItem({ row, isStop, isOpen, onFocus, onToggle }: TreeItemProps) {
  const scrollIntoView = useScrollIntoView(isOpen)
  const { check, cancel } = useSubfolderCheck(row)
  const shared = {
    role: 'treeitem',
    className: classNames(styles.row, styles.branch),
    style: { '--level': row.level - 1 } as CSSProperties,
    tabIndex: isStop ? 0 : -1,
    'aria-level': row.level,
    onFocus: () => {
      onFocus()
      check()
    },
    onBlur: cancel,
    onPointerEnter: check,
    onPointerLeave: cancel,
  }
  if (row.kind !== 'folder') {
    return (
      <button type="button" {...shared} onClick={onToggle}>
        <span className={styles.chevron}>{row.kind === 'failed' && <Icon icon={RefreshCw} size={14} />}</span>
        <span className={classNames(styles.name, styles.note)}>
          {row.kind === 'more' ? t('tree.more', { count: row.hidden }) : t('tree.failed')}
        </span>
      </button>
    )
  }
  // The chevron is not a button of its own, because a tree has one tab stop. The keyboard uses the arrow keys.
  const toggleOnChevron = (event: MouseEvent): void => {
    if (row.isLeaf || !(event.target as Element).closest('[data-chevron]')) return
    event.preventDefault()
    onToggle()
  }
  return (
    <Link
      {...shared}
      to={filesUrl(row.folder, true)}
      aria-expanded={row.isLeaf ? undefined : row.isExpanded}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      aria-busy={row.isLoading || undefined}
      draggable={false}
      onClick={toggleOnChevron}
      data-drop-folder={row.folder}
      title={visibleName(row.name)}
    >
      <span ref={scrollIntoView} className={styles.chevron} data-chevron>
        <Chevron row={row} />
      </span>
      <Icon icon={Folder} size={16} className={styles.picture} />
      <bdi className={styles.name}>{visibleName(row.name)}</bdi>
    </Link>
  )
}

function Chevron({ row }: { readonly row: Extract<TreeRow, { kind: 'folder' }> }) {
  if (row.isLoading) return <Spinner />
  // An arrow that would disappear again is not shown before the subfolders are known.
  if (row.isLeaf !== false) return null
  return <Icon icon={row.isExpanded ? ChevronDown : directed(ChevronRight)} size={14} />
}

/** The time in milliseconds that the pointer or the focus rests on a row before its folder is looked at again. */
const restMs = 100

/**
 * Looks again at a folder without subfolders when the pointer or the focus rests on its row, because the tree does not
 * hear of changes in folders that are neither open nor expanded.
 */
function useSubfolderCheck(row: TreeRow) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = useRef<AbortController>(null)
  const cancel = useCallback((): void => {
    clearTimeout(timer.current)
    stop.current?.abort()
  }, [])
  const check = (): void => {
    cancel()
    if (row.kind !== 'folder' || row.isLeaf !== true) return
    const { signal } = (stop.current = new AbortController())
    timer.current = setTimeout(() => void checkForSubfolders(row.folder, signal), restMs)
  }
  useEffect(() => cancel, [cancel])
  return { check, cancel }
}

/**
 * Returns a ref whose element is scrolled into view when it appears while `isActive`, or when `isActive` becomes true. An
 * open drawer is not scrolled, because it shows its first entries.
 */
function useScrollIntoView(isActive: boolean) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (isActive && !isDrawerOpen.get()) element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    [isActive],
  )
}
