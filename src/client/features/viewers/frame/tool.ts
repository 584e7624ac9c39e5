import type { ReactNode } from 'react'
import type { IconDrawing } from '../../../ui/icon.tsx'
import type { MenuEntry } from '../../../ui/menu/menu-entry.ts'

/** A button of a toolbar. A button without an icon shows its label. */
export type ToolButton = {
  readonly kind?: 'button'
  /** A name by which style sheets find the button. */
  readonly name?: string
  readonly icon?: IconDrawing
  readonly label: string
  /** The key that does the same, as it is printed on keyboards, or another note for the tooltip. */
  readonly hint?: string | undefined
  /** The keys that do the same wherever the focus is, in the form that actions use. The quick look has none of them. */
  readonly keys?: readonly string[]
  /** A sentence that screen readers say after the label. */
  readonly description?: string | undefined
  /** True while a button that switches something on and off is on. */
  readonly isPressed?: boolean
  /** True while the panel that the button opens is open. */
  readonly isExpanded?: boolean
  readonly isBusy?: boolean
  /** The reason why the button cannot be pressed now. */
  readonly blockedBy?: string | undefined
  /** True for a tool that is in the menu "More" where the window is narrow. */
  readonly isRare?: boolean
  readonly run: () => void
}

/** A button that opens a menu. */
export type ToolMenu = {
  readonly kind: 'menu'
  readonly icon: IconDrawing
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

/**
 * A text that changes, such as a position, or a title, which takes the free space and is cut where it has too little. A rare text is
 * not shown where the window is narrow.
 */
export type ToolText = { readonly kind: 'text' | 'title'; readonly text: string; readonly isRare?: boolean }

/** Any other content of a toolbar. Fields make a toolbar wrap, with more space between its tools. */
export type ToolSlot = { readonly kind: 'slot' | 'field'; readonly content: ReactNode }

/**
 * Content for which a narrow window has no room. There, a button opens it in the place of the other tools. Elsewhere it is always
 * shown.
 */
export type ToolDrawer = {
  readonly kind: 'drawer'
  readonly icon: IconDrawing
  readonly label: string
  readonly keys?: readonly string[]
  readonly isOpen: boolean
  /** Opens the content. Where it is shown, gives it the focus. */
  readonly run: () => void
  readonly content: ReactNode
}

/** The tools that make the content smaller and larger. */
export type ZoomTool = {
  readonly kind: 'zoom'
  readonly onStep: (by: 1 | -1) => void
  /** The scale as a text. Without it, no scale is shown. */
  readonly scale?: string
  /** True where a narrow window has no room for the scale. */
  readonly isScaleRare?: boolean
  /** True when the keys `+` and `-` do the same. */
  readonly hasKeys?: boolean
}

/** The tool that shows the whole content again. */
export type FitTool = {
  readonly kind: 'fit'
  /** True when the key `0` does the same. */
  readonly hasKeys?: boolean
  readonly isRare?: boolean
  readonly run: () => void
}

/** The place in a file of several pages or chapters, and the buttons to the previous and to the next one. */
export type PositionTool = {
  readonly kind: 'position'
  readonly unit: 'page' | 'chapter'
  /** The number of the part on screen, from 1. */
  readonly position: number
  readonly total: number
  readonly onGo: (position: number) => void
  /** True when the keys Page Up and Page Down do the same, because the content does not scroll. */
  readonly hasKeys?: boolean
}

/** One control of a toolbar, or one text. */
export type SimpleTool = ToolButton | ToolMenu | ToolText | ToolSlot | ToolDrawer

/** The parts of a toolbar. A tool that is not there leaves its place as false, so that the others keep theirs. */
export type Tools = readonly (SimpleTool | ZoomTool | FitTool | PositionTool | false)[]

/** A toolbar of a viewer. */
export type ViewerToolbar = {
  /** The name of the toolbar for screen readers. */
  readonly label: string
  readonly tools: Tools
  /** The functions that keys call while a tool has the focus, by the key. */
  readonly focusKeys?: Readonly<Record<string, () => void>>
}
