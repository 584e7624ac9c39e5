import { useRef, useState, type KeyboardEvent } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { childrenKey } from './children-query.ts'
import { noTypedPrefix, prefixAfterKey, rowStartingWith } from '../../listing/keys/type-ahead.ts'
import { treeCommandOf } from '../../listing/tree/tree-keys.ts'
import { TreeItem } from './tree-item.tsx'
import { collapse, expand, showMore, type TreeRow } from '../../listing/tree/tree-rows.ts'
import { useChecksInSight } from '../../subfolders/use-checks-in-sight.ts'
import { expansion, useTreeFollowsAddress, useTreeRefresh, useTreeRows } from './use-tree.ts'
import { isRightToLeft } from '../../ui/direction/direction.ts'
import styles from './sidebar-parts.module.css'

/**
 * Renders the user's folders as a tree that follows the open folder. The subfolders of a folder are fetched when it is
 * expanded. Renders nothing while the user has no folders.
 */
export function FolderTree({ open }: { readonly open: Path }) {
  const tree = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const rows = useTreeRows(open)
  const typed = useRef(noTypedPrefix)
  useTreeFollowsAddress()
  useTreeRefresh()
  useChecksInSight(tree, { rows, attribute: 'data-drop-folder' })
  if (rows.length === 0) return null
  const stop = stopOf(rows, focused, open)

  const focusRow = (index: number): void => {
    setFocused(rows[index]?.key ?? null)
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index]?.focus()
  }
  /** Returns the index of the next folder with the typed letters, or -1. */
  const indexOfTyped = ({ key, timeStamp }: KeyboardEvent): number => {
    if (key.length !== 1 || key === ' ') return -1
    typed.current = prefixAfterKey(typed.current, key, timeStamp)
    const nameAt = (index: number): string => (rows[index]?.kind === 'folder' ? rows[index].name : '')
    return rowStartingWith({ text: typed.current.text, from: stop, count: rows.length, nameAt })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return
    const command = treeCommandOf(event.key, { rows, at: stop, isRightToLeft: isRightToLeft() })
    const typedAt = command === null ? indexOfTyped(event) : -1
    if (command === null && typedAt === -1) return
    event.preventDefault()
    event.stopPropagation()
    if (command === null) focusRow(typedAt)
    else if (command.kind === 'focus') focusRow(command.index)
    else toggle(rows[stop])
  }

  return (
    <section className={styles.section}>
      <h2 className={styles.heading} id="folder-tree">
        {t('tree.label')}
      </h2>
      <div role="tree" ref={tree} tabIndex={-1} aria-labelledby="folder-tree" onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <TreeItem
            key={row.key}
            row={row}
            isStop={index === stop}
            isOpen={row.kind === 'folder' && row.folder === open}
            onFocus={() => setFocused(row.key)}
            onToggle={() => toggle(row)}
          />
        ))}
      </div>
    </section>
  )
}

/** Expands or collapses a folder, shows more subfolders, or fetches again what could not be loaded. */
function toggle(row: TreeRow | undefined): void {
  if (row === undefined) return
  const { folder } = row
  if (row.kind === 'failed') void queryClient.invalidateQueries({ queryKey: childrenKey(folder) })
  else if (row.kind === 'more') expansion.set((now) => showMore(now, folder))
  else expansion.set((now) => (now.has(folder) ? collapse(now, folder) : expand(now, folder)))
}

/** Returns the index of the tree's tab stop: the row that had the focus last, else the open folder, else the first row. */
function stopOf(rows: readonly TreeRow[], focused: string | null, open: Path): number {
  const last = rows.findIndex(({ key }) => key === focused)
  return Math.max(0, last === -1 ? rows.findIndex(({ key }) => key === open) : last)
}
