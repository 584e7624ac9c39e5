import type { IconDrawing } from '../icon.tsx'

/** An item or a separator of a menu. */
export type MenuEntry =
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
