import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { childOf, isWithin, nameOf, parentOf, root, type Path } from '../../../../shared/domain/path.ts'
import { queryClient } from '../../../api/query-client.ts'
import { noTypedPrefix, prefixAfterKey, rowStartingWith } from '../../../listing/keys/type-ahead.ts'
import { treeCommandOf } from '../../../listing/tree/tree-keys.ts'
import {
  collapse,
  expand,
  expandTo,
  initialExpansion,
  showMore,
  type TreeRow,
} from '../../../listing/tree/tree-rows.ts'
import { isRightToLeft } from '../../../ui/direction/direction.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useChecksInSight } from '../../../subfolders/use-checks-in-sight.ts'
import { childFoldersQuery } from './child-folders.ts'
import { NewFolderField, type NameCheck } from './new-folder-field.tsx'
import { PickerRow } from './picker-row.tsx'
import { QuickTargets } from './quick-targets.tsx'
import { usePickerRows } from './use-picker-rows.ts'
import styles from './folder-picker.module.css'

type FolderPickerProps = {
  readonly label: string
  /** The chosen folder. */
  readonly folder: Path
  readonly onChoose: (folder: Path) => void
  /** Returns true for folders that cannot be the destination because they are among the entries to transfer. */
  readonly isExcluded: (folder: Path) => boolean
  readonly checkNewName: NameCheck
}

/**
 * Renders the tree of the user's folders, in which the user chooses one. A click chooses a folder, and the arrow beside it or a
 * double click shows its subfolders. The keys are those of a tree, whose row with the focus is the chosen one: typed letters choose
 * the next folder whose name starts with them, Backspace its parent, and Enter confirms the dialog. Buttons choose recent and
 * pinned folders, and a field creates a folder in the chosen one.
 */
export function FolderPicker(props: FolderPickerProps) {
  const { label, folder, onChoose, isExcluded, checkNewName } = props
  const mayCreate = useMay()('create')
  const opensOnSingleClick = useUser()?.singleClick ?? false
  const tree = useRef<HTMLDivElement>(null)
  const [expansion, setExpansion] = useState(() => expand(expandTo(initialExpansion, folder), folder))
  /** The key of a row without a folder that has the focus. */
  const [focused, setFocused] = useState<string | null>(null)
  const rows = usePickerRows({ expansion, chosen: folder, isExcluded })
  useChecksInSight(tree, { rows, attribute: 'data-folder' })
  const takeFocus = useFocusOnChosen(tree, folder)
  const typedName = useTypedName()
  const stop = Math.max(
    0,
    rows.findIndex(({ key }) => key === (focused ?? folder)),
  )
  const choose = (chosen: Path): void => {
    setFocused(null)
    setExpansion((now) => expandTo(now, chosen))
    takeFocus()
    onChoose(chosen)
  }
  const toggle = (row: TreeRow): void => {
    if (row.kind === 'failed')
      void queryClient.invalidateQueries({ queryKey: childFoldersQuery(row.folder).queryKey })
    else if (row.kind === 'more') setExpansion((now) => showMore(now, row.folder))
    else if (!row.isExpanded) setExpansion((now) => expand(now, row.folder))
    else {
      setExpansion((now) => collapse(now, row.folder))
      // The chosen folder must stay on screen.
      if (isWithin(folder, row.folder)) choose(row.folder)
    }
  }
  const goTo = (row: TreeRow | undefined): void => {
    if (row?.kind === 'folder') return choose(row.folder)
    setFocused(row?.key ?? null)
    const index = rows.findIndex((other) => other === row)
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[stop]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const command = treeCommandOf(event.key, { rows, at: stop, isRightToLeft: isRightToLeft() })
    const typed = command === null ? typedName(event, rows, stop) : null
    const run =
      command?.kind === 'focus'
        ? () => goTo(rows[command.index])
        : command !== null
          ? () => toggle(row)
          : typed !== null
            ? () => choose(typed)
            : runOfKey(event, row)
    if (run === null) return
    event.preventDefault()
    run()
  }
  const runOfKey = (event: KeyboardEvent<HTMLElement>, row: TreeRow): (() => void) | null => {
    const form = event.currentTarget.closest('form')
    if (event.key === 'Enter') return () => (row.kind === 'folder' ? form?.requestSubmit() : toggle(row))
    if (event.key === 'Backspace') return () => choose(parentOf(folder))
    return event.key === ' ' ? () => goTo(row) : null
  }
  const onClick = (event: MouseEvent, row: TreeRow): void => {
    const isOnArrow = (event.target as Element).closest('[data-chevron]') !== null
    if (row.kind !== 'folder' || isOnArrow) return toggle(row)
    choose(row.folder)
    // The second click of a double click shows the subfolders.
    if (opensOnSingleClick ? !row.isExpanded : event.detail === 2) toggle(row)
  }
  return (
    <>
      <QuickTargets at={folder} isExcluded={isExcluded} onChoose={choose} />
      <div
        ref={tree}
        role="tree"
        tabIndex={-1}
        aria-label={label}
        className={styles.picker}
        onKeyDown={onKeyDown}
      >
        {rows.map((row, index) => (
          <PickerRow
            key={row.key}
            row={row}
            isStop={index === stop}
            isChosen={row.kind === 'folder' && row.folder === folder}
            onClick={(event) => onClick(event, row)}
          />
        ))}
      </div>
      {mayCreate && (
        <NewFolderField
          key={`new ${folder}`}
          folder={folder}
          check={checkNewName}
          onCreated={(name) => choose(childOf(folder, name) ?? folder)}
        />
      )}
    </>
  )
}

/**
 * Gives the focus to the row of the chosen folder when the dialog opens and whenever the returned function was called. The row may
 * appear later, when the folders above it have been loaded.
 */
function useFocusOnChosen(tree: RefObject<HTMLElement | null>, chosen: Path): () => void {
  const isWanted = useRef(true)
  useLayoutEffect(() => {
    if (!isWanted.current) return
    const row = tree.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
    isWanted.current = row?.dataset['folder'] !== chosen
  })
  return () => {
    isWanted.current = true
  }
}

/**
 * Returns a function that collects typed letters and returns the folder that they name: the next row, or else a folder beside the
 * chosen one that has no row because there are too many.
 */
function useTypedName() {
  const typed = useRef(noTypedPrefix)
  return (event: KeyboardEvent, rows: readonly TreeRow[], at: number): Path | null => {
    if (!isLetter(event)) return null
    // The time of a letter is that of its event, because a busy page handles keys later than they were pressed.
    typed.current = prefixAfterKey(typed.current, event.key, event.timeStamp)
    const { text } = typed.current
    const nameAt = (index: number): string =>
      nameOf(rows[index]?.kind === 'folder' ? rows[index].folder : root)
    const row = rows[rowStartingWith({ text, from: at, count: rows.length, nameAt })]
    if (row !== undefined) return row.folder
    const parent = parentOf(rows[at]?.folder ?? root)
    const names = queryClient.getQueryData(childFoldersQuery(parent).queryKey) ?? []
    const name =
      names[rowStartingWith({ text, from: -1, count: names.length, nameAt: (index) => names[index] ?? '' })]
    return name === undefined ? null : childOf(parent, name)
  }
}

/** Returns true for a key that types a character. The space bar chooses a row. */
const isLetter = ({ key }: KeyboardEvent): boolean => key.length === 1 && key !== ' '
