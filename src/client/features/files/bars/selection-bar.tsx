import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { EllipsisVertical, X } from 'lucide'
import { type Action, type ActionContext, isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { copy } from '../../../actions/copy.ts'
import { move } from '../../../actions/move.ts'
import { resultContext } from '../../../actions/page-context.ts'
import { showInfo } from '../../../actions/show-info.ts'
import { t } from '../../../i18n/translate.ts'
import { endMultiple, folderListing } from '../../../listing/grid/shown-listings.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { announce, announcements } from '../../../state/announcements.ts'
import { contextMenu } from '../../../state/context-menu.ts'
import { useStore } from '../../../state/store.ts'
import { detailsPane } from '../../../state/device/details-pane.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { arrowStep, startEdgeOf } from '../../../ui/direction/direction.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { keyLabel } from '../../../ui/keyboard/key-labels.ts'
import { Fill } from '../../../ui/slot.tsx'
import { lastReport } from '../open-folder/report-removed-rows.ts'
import { SelectionSummary, summaryText } from './selection-summary.tsx'
import { useFocusInBar, visibleButtons } from './use-focus-in-bar.ts'
import { useTypingInHeader } from './use-typing-in-header.ts'
import styles from './selection-bar.module.css'

type SelectionBarProps = {
  /** The context of the actions for the selected entries. */
  readonly context: ActionContext
  readonly rows: FolderRows
  readonly isPhone: boolean
}

/**
 * Renders the bar of the selection while entries are selected or the multiple-selection mode is on. It takes the place of the
 * folder's header, and has its height. On phones it is below the list, within reach of the thumb.
 */
export function SelectionBar({ context, rows, isPhone }: SelectionBarProps) {
  const { chosen } = useStore(folderListing.selection)
  const results = useStore(resultContext)
  const count = results?.count ?? chosen.count
  const isTyping = useTypingInHeader()
  if (count === 0 && !context.isMultiple) return null
  // A refused operation selects entries while somebody may be typing a path.
  if (isTyping && !isPhone) return null
  const bar = (
    <Bar context={context} count={count} isPhone={isPhone}>
      <SelectionSummary count={count} chosen={chosen} rows={rows} results={results} />
    </Bar>
  )
  return isPhone ? bar : <Fill slot="selection">{bar}</Fill>
}

type BarProps = Pick<SelectionBarProps, 'context' | 'isPhone'> & {
  readonly count: number
  readonly children: ReactNode
}

/**
 * Renders the actions for the selected entries: with their names, and on phones as icons. Where there is no room, some are left out, and
 * the menu "More" has them.
 */
function Bar({ context, count, isPhone, children }: BarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const verbs = useRef<HTMLDivElement>(null)
  const isMenuOpen = useStore(contextMenu) !== null
  const shown = actions.filter(
    (action) => count > 0 && action.places.includes('selection-bar') && isAvailable(action, context),
  )
  const { keepFocus, listeners } = useFocusInBar(bar)
  useItemsWithRoom(verbs, { isPaneOpen: useStore(detailsPane) === 'on', onHidden: keepFocus })
  useKeptFocus(bar)
  useAnnouncedCount(count)
  useRowAboveBar(isPhone)
  return (
    <div
      ref={bar}
      className={classNames(styles.bar, isPhone ? styles.below : styles.above)}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('listing.selection')}
      data-part="selection-bar"
      onKeyDown={moveFocus}
      {...listeners}
    >
      {children}
      <div ref={verbs} className={styles.verbs}>
        {shown.map((action) => (
          <Verb key={action.id} action={action} context={context} isIcon={isPhone} />
        ))}
      </div>
      {count > 0 && (
        <IconButton
          icon={EllipsisVertical}
          label={t('buttons.more')}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          onClick={openMenu}
        />
      )}
      <IconButton
        icon={X}
        label={t('action.clear-selection')}
        hint={keyLabel('Escape')}
        className={styles.clear}
        onClick={endMultiple}
      />
    </div>
  )
}

type VerbProps = { readonly action: Action; readonly context: ActionContext; readonly isIcon: boolean }

function Verb({ action, context, isIcon }: VerbProps) {
  const label = t(action.label)
  const run = (): void => void action.run(context)
  if (isIcon) return <IconButton icon={action.icon} label={label} data-action={action.id} onClick={run} />
  return (
    <Button kind="quiet" icon={action.icon} className={styles.verb} data-action={action.id} onClick={run}>
      {label}
    </Button>
  )
}

/**
 * Opens the context menu of the selected entries below the button, without the actions that the bar shows. On phones this menu is
 * at the lower edge of the window.
 */
function openMenu({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const { bottom: y } = currentTarget.getBoundingClientRect()
  const bar = currentTarget.closest<HTMLElement>('[role="toolbar"]')
  const without = bar === null ? [] : visibleButtons(bar).flatMap((button) => button.dataset['action'] ?? [])
  contextMenu.set({ x: startEdgeOf(currentTarget), y, on: 'entries', without })
}

/** Moves the focus between the buttons of the bar: with the arrow keys to the next one, with Home and End to the outer ones. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const buttons = visibleButtons(event.currentTarget)
  const at = buttons.findIndex((button) => button === document.activeElement)
  const target = { Home: 0, End: buttons.length - 1 }[event.key] ?? at + arrowStep(event.key)
  if (at === -1 || target === at) return
  event.preventDefault()
  buttons[(target + buttons.length) % buttons.length]?.focus()
}

type RoomOptions = {
  /** True while the pane with details is open, whose button stays. */
  readonly isPaneOpen: boolean
  readonly onHidden: () => void
}

/**
 * Hides the items of a line for which it has no room, now and whenever the line has another size. Calls `onHidden` each time
 * afterwards.
 */
function useItemsWithRoom(line: RefObject<HTMLElement | null>, { isPaneOpen, onHidden }: RoomOptions): void {
  useLayoutEffect(() => {
    const element = line.current
    if (element === null) return undefined
    const check = (): void => {
      hideItemsWithoutRoom(element, isPaneOpen)
      onHidden()
    }
    check()
    const observer = new ResizeObserver(check)
    observer.observe(element)
    return () => observer.disconnect()
  })
}

/** Hides items until the others fit into their line: first those that ask for a folder, and then those at the end. */
function hideItemsWithoutRoom(line: HTMLElement, isPaneOpen: boolean): void {
  const items = [...line.children].filter((item) => item instanceof HTMLElement)
  for (const item of items) item.style.display = ''
  const rank = ({ dataset }: HTMLElement): number => {
    const action = dataset['action'] ?? ''
    if (isPaneOpen && action === showInfo.id) return 2
    return action === copy.id || action === move.id ? 0 : 1
  }
  const leaving = items.toReversed().toSorted((a, b) => rank(a) - rank(b))
  // Sizes are fractions of pixels where the page is zoomed, and `scrollWidth` is a whole number.
  for (const item of leaving) {
    if (line.scrollWidth <= Math.ceil(line.getBoundingClientRect().width)) return
    item.style.display = 'none'
  }
}

/**
 * Moves the focus to the list when the bar covers the element that has it, when the bar comes while no element has it, as after
 * the field for the path has closed, and when the bar goes with the focus in it. The page would lose the focus otherwise.
 */
function useKeptFocus(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current
    const covered = element?.closest('[data-slot="selection"]')?.parentElement
    const { activeElement } = document
    if (covered?.contains(activeElement) === true || (covered && activeElement === document.body)) focusRow()
    return () => {
      if (element?.contains(document.activeElement) === true) focusRow()
    }
  }, [bar])
}

/** Focuses the row of the list that Tab reaches, or the content of the page where no row is. */
function focusRow(): void {
  const content = document.querySelector<HTMLElement>('#content')
  const row = content?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
  ;(row ?? content)?.focus({ preventScroll: true })
}

/** The delay before the number of selected entries is announced, in milliseconds. Keys change it many times a second. */
const announcementDelayMs = 500

/** Announces the number of selected entries to screen readers, unless the last announcement is a report that ends with this number. */
function useAnnouncedCount(count: number): void {
  const text = summaryText(count)
  useEffect(() => {
    const timer = setTimeout(() => {
      const { spoken, selected } = lastReport.get()
      if (announcements.polite.get().text !== spoken || text !== selected) announce(text)
    }, announcementDelayMs)
    return () => clearTimeout(timer)
  }, [text])
}

/**
 * Scrolls the selected row that has the focus back into view when the bar of phones has made the list shorter. A key may
 * still scroll the list after it has selected a row, so the row is looked up in the next frame.
 */
function useRowAboveBar(isPhone: boolean): void {
  useEffect(() => {
    if (!isPhone) return undefined
    const frame = requestAnimationFrame(() =>
      document
        .querySelector('[role="grid"] [role="row"][aria-selected="true"][tabindex="0"]')
        ?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [isPhone])
}
