import { createPersonalStore } from './personal.ts'

/**
 * The open context menu of the listing: the point in the window at which it opens, in CSS pixels, and what its actions
 * apply to.
 */
export type ContextMenuPlace = {
  readonly x: number
  readonly y: number
  readonly on: 'entries' | 'folder'
  /** The ids of the actions that are visible where the menu was opened. The menu then has all others, without a menu "More". */
  readonly without?: readonly string[]
}

/** The open context menu, or null. */
export const contextMenu = createPersonalStore<ContextMenuPlace | null>(null)

export const closeContextMenu = (): void => contextMenu.set(null)
