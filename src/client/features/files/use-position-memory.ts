import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { type ListingColumns, idOfName, indexOfId, nameOfId } from '../../listing/rows/columns.ts'
import { folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import { useLocation } from '../../router/use-location.ts'
import { userSignal } from '../../state/personal.ts'
import { prompt } from '../../state/prompt.ts'
import {
  recordVisit,
  rememberPosition,
  startPositionIn,
  type StartPosition,
} from '../../router/folder-positions.ts'
import { isTextField } from '../../ui/keyboard/key-targets.ts'
import { isInView } from '../../ui/measuring/is-in-view.ts'
import { lastInputKind } from './keyboard/use-keyboard.ts'

const { selection, grid } = folderListing

type ScrollMemoryOptions = {
  readonly folder: Path
  readonly columns: ListingColumns
  readonly isArriving: boolean
}

/** The row that gets the focus as soon as it has arrived. */
type PendingFocus = Pick<StartPosition, 'scrollsToFocus'> & { readonly name: string }

/**
 * The minimum time between two saves of the position while the user scrolls. Browsers throttle pages that change their
 * history entries more often.
 */
const saveMs = 250

/**
 * Restores the user's position in a folder, and saves it while the folder is open. Returns the handler of scroll
 * events.
 */
export function usePositionMemory({ folder, columns, isArriving }: ScrollMemoryOptions): () => void {
  const latest = useRef(columns)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const key = useEntryKey(folder)
  useStartPosition({ folder, columns, isArriving, key })
  useLayoutEffect(() => {
    latest.current = columns
  })

  const untilLogout = useRef(userSignal())
  /** The name of the row that had the focus last, while the selection belonged to this folder. */
  const focus = useRef<string | null>(null)
  const readFocus = useCallback((): void => {
    const { focusId, folder: selectionFolder } = selection.get()
    if (selectionFolder !== folder) return
    const listed = latest.current
    const hasFocus = indexOfId(listed, focusId) !== -1 && focusId < listed.ids
    focus.current = hasFocus ? nameOfId(listed, focusId) : null
  }, [folder])
  const save = useCallback((): void => {
    // After a logout, the user's positions are deleted before the listing is unmounted. The listing must not save a
    // position again.
    if (untilLogout.current.aborted) return
    clearTimeout(timer.current)
    timer.current = undefined
    readFocus()
    const position = grid.current?.scrolledTo()
    if (position !== undefined) rememberPosition(key.current, folder, { ...position, focus: focus.current })
  }, [folder, key, readFocus])
  useEffect(() => {
    // The position is saved before the address changes, because after the change a different history entry is current.
    const stop = selection.subscribe(() => {
      // When the folder is left, the selection belongs to the next one before the last save.
      readFocus()
      timer.current ??= setTimeout(save, saveMs)
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [save, readFocus])
  useLayoutEffect(() => save, [save])
  return useCallback(() => {
    timer.current ??= setTimeout(save, saveMs)
  }, [save])
}

/** Shows a folder at its start position. The row that had the focus gets it again as soon as the row has arrived. */
function useStartPosition({
  folder,
  columns,
  isArriving,
  key,
}: ScrollMemoryOptions & { readonly key: RefObject<string> }): void {
  const pendingFocus = useRef<PendingFocus | null>(null)
  const focusPending = (): void => {
    if (pendingFocus.current === null || grid.current === null) return
    const { name, scrollsToFocus } = pendingFocus.current
    const index = indexOfId(columns, idOfName(columns, name))
    if (index === -1) return
    pendingFocus.current = null
    if (scrollsToFocus !== 'always') grid.current.focusInPlace(index)
    if (scrollsToFocus === 'always' || (scrollsToFocus === 'if-out-of-view' && !isFocusInView()))
      grid.current.focusIndex(index)
  }
  const hasStarted = useRef(false)
  useLayoutEffect(() => {
    // The position is restored only once, so that later changes of the rows do not move the view.
    if (hasStarted.current) return
    hasStarted.current = true
    const start = startPositionIn(folder, { key: key.current, from: recordVisit(folder) })
    const { focus, scrollsToFocus } = start
    pendingFocus.current = focus === null ? null : { name: focus, scrollsToFocus }
    // A microtask runs after React has finished and before the first paint, so the first paint already shows the rows
    // at the restored position.
    queueMicrotask(() => {
      if (start.scrollPx > 0) grid.current?.restore(start)
      if (focus !== null) focusPending()
      else if (lastInputKind === 'keyboard' && columns.count > 0) grid.current?.focusIndex(0)
    })
  })
  useEffect(() => {
    if (pendingFocus.current === null) return
    queueMicrotask(() => {
      // A row that arrives late must not take the focus from what the user has begun to do meanwhile.
      if (isUserElsewhere()) pendingFocus.current = null
      focusPending()
      if (!isArriving) pendingFocus.current = null
    })
  })
}

/** Returns true when a part of the focused row is in view. */
function isFocusInView(): boolean {
  const [list, row] = [grid.current?.element() ?? null, document.activeElement]
  return list !== null && row !== null && isInView(list, row)
}

/** Returns true when another row has the focus, or a result of a search, a text field or a prompt. */
const isUserElsewhere = (): boolean =>
  selection.get().focusId !== -1 ||
  foundListing.grid.current?.element()?.contains(document.activeElement) === true ||
  isTextField(document.activeElement) ||
  prompt.get().kind !== 'none'

/**
 * Returns a reference to the key of the history entry of the folder. A search adds an entry for the same folder, which
 * has a position of its own.
 */
function useEntryKey(folder: Path): RefObject<string> {
  const { path, key } = useLocation()
  const entryKey = useRef(key)
  useLayoutEffect(() => {
    if (path === folder) entryKey.current = key
  })
  return entryKey
}
