import { type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { namesOf, type Path } from '../../../shared/domain/path.ts'
import { parseNameQuery } from '../../../shared/domain/name-query.ts'
import { t } from '../../i18n/translate.ts'
import { matchingRanges } from '../../listing/rows/name-match.ts'
import { useColumnStyle } from '../../listing/sizes/column-widths.ts'
import { filesUrl } from '../../router/router.ts'
import { Link } from '../../router/link.tsx'
import { showInFolder } from '../../router/show-in-folder.ts'
import type { ActionContext } from '../../actions/action.ts'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { prompt } from '../../state/prompt.ts'
import { clearSelection, selection } from '../../state/selection.ts'
import { useStore } from '../../state/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { draggedResults } from '../../operations/dragged-entries.ts'
import {
  contextOfFound,
  draggedAmong,
  extendFound,
  foundSelection,
  selectAllFound,
  selectedAmong,
  toggleFound,
} from './found-selection.ts'
import { openFound, runKeyOn, takeToClipboard } from './result-actions.ts'
import { openMenuAtPointer, resultLook, resultMenu } from './result-layer-state.ts'
import { ResultRow } from './result-row.tsx'
import { groupByFolder } from './search-hit.ts'
import { focusLastMatch } from './search-focus.ts'
import type { FolderSearch } from './searcher.ts'
import { queryOf } from './query-words.ts'
import { useLongPress } from './use-long-press.ts'
import styles from './search-results.module.css'

const { Part: ResultLayers } = lazyPart(async () => (await import('./result-layers.tsx')).ResultLayers)

/** The number of results that are shown at first, and how many more are shown near the end of the list (specification 9). */
const pageRows = 50
/** The distance to the end of the list, in views, at which further results are shown. */
const nearEndViews = 1

/** The position in the results of a search. The Back button restores it. */
type ResultsPosition = {
  readonly key: string
  readonly shown: number
  readonly topPx: number
  readonly current: number
  /** True when the user has opened the result. It gets the focus again when the results are shown again. */
  readonly isLeft: boolean
}
const position = createPersonalStore<ResultsPosition>({
  key: '',
  shown: pageRows,
  topPx: 0,
  current: 0,
  isLeft: false,
})

/** Renders the hits of a search, grouped by their folder. The arrow keys move between them. */
export function ResultList({ search }: { readonly search: FolderSearch }) {
  const { folder, text, entries } = search
  const key = `${folder}\n${text}`
  const list = useRef<HTMLDivElement>(null)
  const [saved] = useState(() => (position.get().key === key ? position.get() : null))
  const [shown, setShown] = useState(saved?.shown ?? pageRows)
  const [current, setCurrent] = useState(saved?.current ?? 0)
  const visible = entries.slice(0, shown)
  const tabStop = Math.min(current, visible.length - 1)
  const chosen = useStore(foundSelection)
  const isLooking = useStore(resultLook)
  const hasLayers = useStore(resultMenu) !== null || isLooking
  useSavedPosition(list, { key, shown, current: tabStop })
  useFocusAfterPrompt(list)
  useFocusOnReturn(list, saved?.isLeft === true)
  useLongPress(list, toggleFound)
  useEffect(() => {
    draggedResults.set(() => (element: Element) => draggedAmong(search, element))
    return () => draggedResults.set(null)
  }, [search])
  const query = parseNameQuery(queryOf(text))
  const rangesOf = (name: string) => matchingRanges(name, query)

  const onScroll = ({ currentTarget: at }: UIEvent): void => {
    position.set((now) => ({ ...now, topPx: at.scrollTop }))
    const leftPx = at.scrollHeight - at.scrollTop - at.clientHeight
    if (leftPx < at.clientHeight * nearEndViews && shown < entries.length) setShown(shown + pageRows)
  }
  useListener(list, 'focusin', ({ target }) => {
    selection.set(clearSelection)
    setCurrent(indexOfResult(target) ?? tabStop)
  })
  /** Returns the context of actions: the selected results, or else the result that has the focus. */
  const contextOfKeys = (): ActionContext => {
    const selected = selectedAmong(entries, chosen)
    return contextOfFound(selected.length > 0 ? selected : visible.slice(tabStop, tabStop + 1), folder)
  }
  const select = (path: Path, isRange: boolean): void => {
    const start = visible[tabStop]?.path ?? path
    if (isRange) extendFound(entries, { start, path, isAdded: false })
    else toggleFound(path)
  }
  useListener(list, 'keydown', (event) => {
    const entry = visible[tabStop]
    const isOnResult = event.target instanceof Element && event.target.matches('[data-found] :is(a, input)')
    if (entry === undefined || !isOnResult) return
    const isOnLink = event.target instanceof HTMLAnchorElement
    if (event.key === 'Enter' && isCtrl(event)) showInFolder(entry.path)
    else if (event.key === 'Enter' && !event.altKey) {
      position.set((now) => ({ ...now, isLeft: true }))
      openFound(entry)
    } else if (event.key === ' ' && isOnLink && !isCtrl(event) && !event.shiftKey)
      resultLook.set((isOpen) => !isOpen)
    else if (isCtrl(event) && event.key === 'a') selectAllFound(entries)
    else if (event.key === 'ArrowUp' && tabStop === 0 && !event.shiftKey) focusLastMatch()
    else if (event.key === 'Insert' || (isCtrl(event) && event.key === ' ')) toggleFound(entry.path)
    else if (moveFocus(list.current, tabStop, event.key)) {
      const reached = visible[indexOfResult(document.activeElement) ?? tabStop]
      if (event.shiftKey && reached !== undefined)
        extendFound(entries, { start: entry.path, path: reached.path, isAdded: isCtrl(event) })
    } else if (!runKeyOn(contextOfKeys(), event)) return
    event.preventDefault()
  })
  useListener(list, 'click', (event) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-found]') : null
    const entry = row === null ? undefined : visible[Number(row.dataset['found'])]
    if (entry === undefined || isControl(event.target)) return
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    const isSelecting = isCtrl(event) || event.shiftKey || (isTouch && chosen.paths.size > 0)
    // A plain click on the link is handled by the link, and every other click opens the result as well.
    position.set((now) => ({ ...now, isLeft: !isSelecting }))
    if (!isSelecting && event.target instanceof Element && event.target.closest('a') !== null) return
    event.preventDefault()
    if (isSelecting) select(entry.path, event.shiftKey)
    else openFound(entry)
  })
  useListener(list, 'contextmenu', openMenuAtPointer)
  const onClipboard = (event: ClipboardEvent): void => takeToClipboard(event, contextOfKeys())
  useListener(list, 'copy', onClipboard)
  useListener(list, 'cut', onClipboard)
  return (
    <>
      <div ref={list} className={styles.list} style={useColumnStyle()} onScroll={onScroll}>
        <ul aria-label={t('search.below')}>
          {groupByFolder(visible).map((group) => (
            <li key={group.entries[0]?.path ?? ''}>
              <p className={styles.group}>
                <Icon name="folder" size={16} />
                <Link to={filesUrl(group.folder, true)} tabIndex={-1} className={styles.path}>
                  <bdi>{relativePath(folder, group.folder)}</bdi>
                </Link>
              </p>
              <ul aria-label={relativePath(folder, group.folder)}>
                {group.entries.map((entry, at) => (
                  <ResultRow
                    key={entry.path}
                    entry={entry}
                    index={group.start + at}
                    isTabStop={group.start + at === tabStop}
                    isSelected={chosen.paths.has(entry.path)}
                    hasCheckbox={chosen.paths.size > 0}
                    onSelect={select}
                    rangesOf={rangesOf}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
      {hasLayers && <ResultLayers search={search} current={visible[tabStop]} />}
    </>
  )
}

const relativePath = (folder: Path, path: Path): string =>
  namesOf(path).slice(namesOf(folder).length).map(visibleName).join(' / ')

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

/** Restores the scroll position when the user comes back to the results, and saves the position while they are shown. */
function useSavedPosition(
  list: RefObject<HTMLElement | null>,
  { key, shown, current }: Omit<ResultsPosition, 'topPx' | 'isLeft'>,
): void {
  useLayoutEffect(() => {
    const { key: savedKey, topPx } = position.get()
    // Scrolling causes a layout, also when it moves nothing.
    if (savedKey === key && topPx > 0) list.current?.scrollTo({ top: topPx, behavior: 'instant' })
  }, [list, key])
  useEffect(() => {
    position.set((now) => ({
      key,
      shown,
      current,
      topPx: now.key === key ? now.topPx : 0,
      isLeft: now.key === key && now.isLeft,
    }))
  }, [key, shown, current])
}

/** Focuses the result that the user had opened, when the results are shown again after that file or folder was closed. */
function useFocusOnReturn(list: RefObject<HTMLElement | null>, isReturn: boolean): void {
  useEffect(() => {
    if (!isReturn) return undefined
    position.set((now) => ({ ...now, isLeft: false }))
    // The folder gives the focus to a row in the microtasks after its first rendering.
    const timer = setTimeout(() =>
      list.current
        ?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')
        ?.focus({ preventScroll: true }),
    )
    return () => clearTimeout(timer)
  }, [list, isReturn])
}

/** Listens to an event inside an element. */
function useListener<Type extends 'keydown' | 'focusin' | 'copy' | 'cut' | 'click' | 'contextmenu'>(
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

/** The time that a closing dialog takes to return the focus, in milliseconds. */
const afterDialogMs = 60

/** Focuses a result after a dialog has closed if the result that had the focus was removed. */
function useFocusAfterPrompt(list: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const takeBack = (): void => {
      if (document.activeElement === document.body)
        list.current?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')?.focus()
    }
    const stop = prompt.subscribe(() => {
      clearTimeout(timer)
      if (prompt.get().kind === 'none') timer = setTimeout(takeBack, afterDialogMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [list])
}
