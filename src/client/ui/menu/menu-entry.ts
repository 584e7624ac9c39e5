import type { IconDrawing } from '../icon.tsx'

/** An item that runs something, or a separator. */
export type MenuLine =
  | { readonly kind: 'separator'; readonly id: string }
  | {
      readonly kind?: 'item'
      readonly id: string
      readonly label: string
      readonly icon?: IconDrawing
      /** The key combination shown at the end of the line. */
      readonly hint?: string
      readonly isDangerous?: boolean
      readonly isDisabled?: boolean
      readonly isChosen?: boolean
      readonly run: () => void
    }

/** An item that opens a menu of further items. */
export type Submenu = {
  readonly kind: 'submenu'
  readonly id: string
  readonly label: string
  readonly icon: IconDrawing
  readonly entries: readonly MenuLine[]
}

export type MenuEntry = MenuLine | Submenu
