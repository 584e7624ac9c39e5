import { type RefObject, useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import {
  contextOfFound,
  extendFound,
  foundSelection,
  selectAllMatches,
  selectedMatches,
  selectOnlyFound,
  toggleFound,
} from './found-selection.ts'
import { openFound, runKeyOn, takeToClipboard } from './result-actions.ts'
import { openMenuAtPointer, resultLook } from './result-layer-state.ts'
import { rememberLeaving } from './result-position.ts'
import { focusLastMatch } from './search-focus.ts'
import type { FoundEntry } from './search-hit.ts'
import type { FolderSearch } from './searcher.ts'

type ResultEventOptions = {
  readonly search: FolderSearch
  /** The results that are in the document. */
  readonly visible: readonly FoundEntry[]
  /** The index of the result that the Tab key reaches. */
  readonly tabStop: number
  /** Selects or deselects a result, or everything from the last selected result to it. */
  readonly select: (path: Path, isRange: boolean) => void
  /** Called with the index of the result that gets the focus. */
  readonly onFocus: (index: number) => void
}

/** Handles keys, clicks and the clipboard in the list of results as the listing does. */
export function useResultEvents(list: RefObject<HTMLElement | null>, options: ResultEventOptions): void {
  const { tabStop, onFocus } = options
  useListener(list, 'focusin', ({ target }) => onFocus(indexOfResult(target) ?? tabStop))
  useResultKeys(list, options)
  useResultClicks(list, options)
}

function useResultKeys(
  list: RefObject<HTMLElement | null>,
  { search: { entries, folder }, visible, tabStop }: ResultEventOptions,
): void {
  /** Returns the context of actions: everything that is selected, or else the result that has the focus. */
  const contextOfKeys = (): ActionContext => {
    const { rows, found } = selectedMatches(entries)
    const selected = [...rows, ...found]
    return contextOfFound(selected.length > 0 ? selected : visible.slice(tabStop, tabStop + 1), folder)
  }
  useListener(list, 'keydown', (event) => {
    const entry = visible[tabStop]
    const isOnResult = event.target instanceof Element && event.target.matches('[data-found] :is(a, input)')
    if (entry === undefined || !isOnResult) return
    const isOnLink = event.target instanceof HTMLAnchorElement
    if (event.key === 'Enter' && isCtrl(event)) show(entry)
    else if (event.key === 'Enter' && !event.altKey) open(entry)
    else if (event.key === ' ' && isOnLink && !isCtrl(event) && !event.shiftKey)
      resultLook.set((isOpen) => !isOpen)
    else if (isCtrl(event) && event.key === 'a') selectAllMatches(entries)
    else if (event.key === 'ArrowUp' && tabStop === 0 && !event.shiftKey) focusLastMatch()
    else if (event.key === 'Insert' || (isCtrl(event) && event.key === ' ')) toggleFound(entry.path)
    else if (moveFocus(list.current, tabStop, event.key)) {
      const reached = visible[indexOfResult(document.activeElement) ?? tabStop] ?? entry
      if (event.shiftKey)
        extendFound(entries, { start: entry.path, path: reached.path, isAdded: isCtrl(event) })
      else if (!isCtrl(event)) selectOnlyFound(reached.path)
    } else if (!runKeyOn(contextOfKeys(), event)) return
    event.preventDefault()
  })
  const onClipboard = (event: ClipboardEvent): void => takeToClipboard(event, contextOfKeys())
  useListener(list, 'copy', onClipboard)
  useListener(list, 'cut', onClipboard)
}

/**
 * A click selects a result and a double click opens it, as in the listing. Fingers, screen readers and users who prefer single
 * clicks open it at once.
 */
function useResultClicks(list: RefObject<HTMLElement | null>, { visible, select }: ResultEventOptions): void {
  const chosen = useStore(foundSelection)
  const opensOnSingleClick = useUser()?.singleClick ?? false
  const entryAround = (target: EventTarget | null): FoundEntry | undefined =>
    isControl(target) ? undefined : visible[indexOfResult(target) ?? -1]
  useListener(list, 'click', (event) => {
    // The button of a result and the heading of its folder lead away from the results, too.
    rememberLeaving()
    const entry = entryAround(event.target)
    if (entry === undefined) return
    event.preventDefault()
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    const isSelecting = isCtrl(event) || event.shiftKey || (isTouch && chosen.paths.size > 0)
    // Screen readers click without a pointer.
    if (isSelecting) select(entry.path, event.shiftKey)
    else if (isTouch || event.detail === 0 || opensOnSingleClick) open(entry)
    else {
      list.current?.querySelector<HTMLElement>(`[data-found="${visible.indexOf(entry)}"] a`)?.focus()
      selectOnlyFound(entry.path)
    }
  })
  useListener(list, 'dblclick', (event) => {
    const entry = entryAround(event.target)
    if (entry !== undefined) open(entry)
  })
  useListener(list, 'contextmenu', openMenuAtPointer)
}

function open(entry: FoundEntry): void {
  rememberLeaving()
  openFound(entry)
}

function show({ path }: FoundEntry): void {
  rememberLeaving()
  showInFolder(path)
}

const isCtrl = ({ ctrlKey, metaKey }: KeyboardEvent | MouseEvent): boolean => ctrlKey || metaKey

/** Returns true for a button or a check box of a result, which handles the click itself. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, label, input') !== null

/** The number of results by which Page Up and Page Down move the focus. */
const keyPageRows = 10

/** Moves the focus to another result. Returns false when the key does not move the focus. */
function moveFocus(list: HTMLElement | null, from: number, key: string): boolean {
  const links = [...(list?.querySelectorAll<HTMLElement>('[data-found] a') ?? [])]
  const last = links.length - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + keyPageRows,
    PageUp: from - keyPageRows,
    Home: 0,
    End: last,
  }
  const to = steps[key]
  if (to === undefined) return false
  links[Math.max(0, Math.min(to, last))]?.focus()
  return true
}

/** Listens to an event inside an element. */
function useListener<
  Type extends 'keydown' | 'focusin' | 'copy' | 'cut' | 'click' | 'dblclick' | 'contextmenu',
>(
  element: RefObject<HTMLElement | null>,
  type: Type,
  listener: (event: HTMLElementEventMap[Type]) => void,
): void {
  useEffect(() => {
    const target = element.current
    target?.addEventListener(type, listener)
    return () => target?.removeEventListener(type, listener)
  })
}

/** Returns the index of the result that contains an element, or null outside of the results. */
function indexOfResult(element: EventTarget | null): number | null {
  const row = element instanceof Element ? element.closest<HTMLElement>('[data-found]') : null
  return row === null ? null : Number(row.dataset['found'])
}
