import type { IconName } from '../icon-names.ts'

/** A line of a menu. */
export type MenuEntry =
  | { readonly kind: 'separator'; readonly id: string }
  | {
      readonly kind?: 'item'
      readonly id: string
      readonly label: string
      readonly icon?: IconName
      /** Its key. */
      readonly hint?: string
      readonly isDangerous?: boolean
      readonly isDisabled?: boolean
      readonly isChosen?: boolean
      readonly run: () => void
    }
