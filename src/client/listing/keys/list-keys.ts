import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { entryAt, idAt, indexOfId, nameOfId } from '../rows/columns.ts'
import { rowAfterKey } from './row-after-key.ts'
import { rowOrderOfColumns } from '../rows/folder-rows.ts'
import type { Listing } from '../grid/listing.ts'
import { selectAlone } from '../grid/select-in-lists.ts'
import {
  noTypedPrefix,
  rowStartingWith,
  type TypedPrefix,
  typeAheadMs,
  prefixAfterKey,
} from './type-ahead.ts'
import { extendTo, focusRow, isChosen, type Selection, selectOnly, toggle } from '../../state/selection.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { arrowStep, isRightToLeft } from '../../ui/direction/direction.ts'
import { isCtrlPressed } from '../../ui/keyboard/keys.ts'

/** The letters that the user has typed to jump to a name. The text is empty while the user is not typing. */
export const typedPrefix = createPersonalStore<TypedPrefix>(noTypedPrefix)

/** The actions of keys outside of a list, on the screen that shows the list. */
export type ListKeyEffects = {
  /** Opens the entry of a row, in this tab or in a new one. */
  readonly open: (index: number, isNewTab: boolean) => void
  readonly openParent: () => void
  /**
   * Shows the row with the focus in the quick look, above the middle of the list or above the whole window. Null for a list
   * without a quick look, in which Space selects rows.
   */
  readonly look: ((isFull: boolean) => void) | null
  /** Runs the action of the screen that belongs to a key. Returns false for a key without an action. */
  readonly runAction: (event: KeyboardEvent) => boolean
}

/**
 * Handles a key of a screen: the keys of its list, the keys of its actions, and typed letters that jump to a name. The list
 * is null while none is on screen. Returns false when nothing uses the key.
 */
export function handleKey(shown: Listing | null, event: KeyboardEvent, effects: ListKeyEffects): boolean {
  const listing = isListKey(event) ? shown : null
  const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
  endTypingAfterOtherKeys(event)
  if (listing !== null && handleListKey(listing, event, effects)) return true
  if (listing !== null && isLetter && event.key === 'Backspace' && typeAhead(listing, event)) return true
  if (effects.runAction(event)) return true
  return listing !== null && isLetter && event.key !== ' ' && typeAhead(listing, event)
}

/** Handles a key of the list. Returns false when the list does not use the key. */
function handleListKey(listing: Listing, event: KeyboardEvent, effects: ListKeyEffects): boolean {
  if (event.altKey) return false
  followFocus(listing, event.target)
  const index = indexOfId(listing.columns.get(), listing.selection.get().focusId)
  if (event.key === 'Enter') return openFocused(index, event, effects)
  if (event.key === ' ' && isTyping(event.timeStamp)) return typeAhead(listing, event)
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return openMenu(listing, index)
  if (event.key === 'Insert' || (event.key === ' ' && isSelecting(listing, event, effects)))
    return toggleFocused(listing, index)
  if (event.key === ' ') return openQuickLook(index, event, effects)
  if (event.key === 'ArrowUp' && index === 0 && !event.shiftKey) return leaveForHeader(listing)
  return moveFocus(listing, index, event) || walkFolders(listing, event, effects)
}

/** Applies keys to the row that has the focus, which Tab or a screen reader may have moved there. */
function followFocus({ columns, selection }: Listing, target: EventTarget | null): void {
  const index = target instanceof HTMLElement ? target.dataset['index'] : undefined
  const id = index === undefined ? -1 : idAt(columns.get(), Number(index))
  if (id !== -1 && id !== selection.get().focusId) selection.set((current) => focusRow(current, id))
}

function openFocused(index: number, event: KeyboardEvent, { open }: ListKeyEffects): boolean {
  if (index === -1) return false
  open(index, isCtrlPressed(event))
  return true
}

/** Opens the context menu at the focused row, or at the start of the listing while no row has the focus. */
function openMenu(listing: Listing, index: number): boolean {
  const { columns, grid, menu } = listing
  if (menu === null) return false
  const list = grid.current?.element()
  const row = list?.querySelector(`[data-index="${index}"]`)
  const box = (row ?? list)?.getBoundingClientRect()
  if (box === undefined) return false
  const id = idAt(columns.get(), index)
  if (row && !isChosen(listing.selection.get(), id))
    selectAlone(listing, (current) => selectOnly(current, id))
  menu.set({
    x: box.left + box.width / 4,
    y: row ? box.bottom : box.top,
    on: row ? 'entries' : 'folder',
  })
  return true
}

/** Returns true when Space selects the row instead of opening the quick look (ux 2.5). */
const isSelecting = ({ selection }: Listing, event: KeyboardEvent, { look }: ListKeyEffects): boolean =>
  look === null || isCtrlPressed(event) || selection.get().isMultiple

/**
 * Opens the quick look of the focused row; with Shift it covers the whole window. This key is handled here and not with
 * the other keys of the quick look, whose code may not have been loaded yet.
 */
function openQuickLook(index: number, event: KeyboardEvent, { look }: ListKeyEffects): boolean {
  if (index === -1) return false
  look?.(event.shiftKey)
  return true
}

function toggleFocused({ columns, selection, canSelect }: Listing, index: number): boolean {
  if (index === -1) return false
  if (canSelect.get()) selection.set((current) => toggle(current, idAt(columns.get(), index)))
  return true
}

/**
 * Handles the left and right arrow keys in the list view: the key in the reading direction opens the focused folder,
 * and the other key opens the parent folder. A key that is held down goes one folder only.
 */
function walkFolders(listing: Listing, event: KeyboardEvent, effects: ListKeyEffects): boolean {
  if (arrowStep(event.key) === 0 || event.shiftKey || isCtrlPressed(event)) return false
  if ((listing.grid.current?.geometry().columns ?? 1) > 1) return false
  if (event.repeat) return true
  const columns = listing.columns.get()
  const index = indexOfId(columns, listing.selection.get().focusId)
  if (arrowStep(event.key) === -1) effects.openParent()
  else if (entryAt(columns, index)?.isFolder === true) effects.open(index, false)
  return true
}

function leaveForHeader({ grid }: Listing): boolean {
  if ((grid.current?.geometry().columns ?? 0) > 1) return true
  grid.current?.focusHeader()
  return true
}

/**
 * Moves the focus for a navigation key and selects the newly focused row. With shift, all rows from the anchor to that
 * row are selected. With ctrl, and in the multiple-selection mode, only the focus moves.
 */
function moveFocus(listing: Listing, from: number, event: KeyboardEvent): boolean {
  const handle = listing.grid.current
  if (!handle?.element()) return false
  const to = rowAfterKey(handle.geometry(), {
    key: event.key,
    from,
    pageLines: handle.pageLines(),
    isRightToLeft: isRightToLeft(),
  })
  if (to === null) return false
  const columns = listing.columns.get()
  const id = idAt(columns, to)
  const isAdded = isCtrlPressed(event)
  const extend = (current: Selection): Selection =>
    extendTo(current, rowOrderOfColumns(columns), { id, isAdded })
  const isRange = event.shiftKey && listing.canSelect.get()
  const select = isRange ? extend : (current: Selection): Selection => selectOnly(current, id)
  if (!event.shiftKey && (isAdded || listing.selection.get().isMultiple))
    listing.selection.set((current) => focusRow(current, id))
  else if (isAdded) listing.selection.set(select)
  else selectAlone(listing, select)
  handle.focusIndex(to)
  return true
}

/** Returns true when a key that is pressed at this time continues the typed letters. */
const isTyping = (atMs: number): boolean =>
  typedPrefix.get().text !== '' && atMs - typedPrefix.get().atMs < typeAheadMs

/**
 * Forgets the typed letters when a key is pressed that types nothing. In a folder that Enter has just opened, Backspace
 * then goes up instead of deleting a letter.
 */
function endTypingAfterOtherKeys({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  const isTyped = !ctrlKey && !metaKey && !altKey && /^(.|Backspace|Shift|Dead)$/u.test(key)
  if (!isTyped) typedPrefix.set(noTypedPrefix)
}

/**
 * Handles a letter of a name: moves the focus to the next row whose name starts with the letters typed so far. The time of a
 * letter is that of its event, because a busy page handles keys later than they were pressed.
 */
function typeAhead(listing: Listing, { key, timeStamp }: KeyboardEvent): boolean {
  if (key === 'Backspace' && !isTyping(timeStamp)) return false
  if (key !== 'Backspace' && key.length !== 1) return false
  const prefix = prefixAfterKey(typedPrefix.get(), key, timeStamp)
  typedPrefix.set(prefix)
  setTimeout(() => typedPrefix.set((later) => (later === prefix ? noTypedPrefix : later)), typeAheadMs)
  const columns = listing.columns.get()
  const { focusId, isMultiple } = listing.selection.get()
  const to = rowStartingWith({
    text: prefix.text,
    from: indexOfId(columns, focusId),
    count: columns.count,
    nameAt: (index) => nameOf(nameOfId(columns, idAt(columns, index)) as Path),
  })
  if (to === -1) return true
  if (!isMultiple) selectAlone(listing, (current) => selectOnly(current, idAt(columns, to)))
  listing.grid.current?.focusIndex(to)
  return true
}

/**
 * Returns true when a key belongs to the list: while the page or a row has the focus, and also while a button or a link has
 * it that does not use the key. A press on *Upload* or on a link in the sidebar therefore leaves the list usable.
 */
export function isListKey({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest(widgets) !== null) return false
  return !((key === 'Enter' || key === ' ') && target.closest(pressable) !== null)
}

/** Elements that use letters, arrows or other keys of the list themselves. */
const widgets =
  'input, select, textarea, video, audio, iframe, [contenteditable], ' +
  '[role="separator"], [role="listbox"], [role="tree"], [role="tablist"]'

/** Elements that Enter or Space presses. */
const pressable = 'a, button, summary, [role="button"], [role="option"]'
