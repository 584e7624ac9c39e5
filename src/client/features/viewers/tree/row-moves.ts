import type { JsonRow } from './json-messages.ts'

/** The effect of a key in a tree: it moves the focus to a row, or opens or closes the active one. */
export type RowMove = { readonly kind: 'focus'; readonly row: number } | { readonly kind: 'toggle' }

type RowMoveOptions = {
  readonly active: Pick<JsonRow, 'index' | 'isOpen' | 'size' | 'parent'>
  /** The number of rows of the tree, and of a page. */
  readonly shown: number
  readonly perView: number
  readonly isRightToLeft: boolean
}

/**
 * Returns what a key does, or null for a key that the tree does not use. The keys are those of the tree view pattern of the
 * ARIA Authoring Practices Guide.
 */
export function moveAfterKey(key: string, options: RowMoveOptions): RowMove | null {
  const { active, shown, perView, isRightToLeft } = options
  const focus = (row: number): RowMove => ({ kind: 'focus', row: Math.max(0, Math.min(row, shown - 1)) })
  const { index, isOpen, size, parent } = active
  const inward = (): RowMove | null => {
    if (size === 0) return null
    return isOpen ? focus(index + 1) : { kind: 'toggle' }
  }
  const outward = (): RowMove | null => {
    if (size > 0 && isOpen) return { kind: 'toggle' }
    return parent === -1 ? null : focus(parent)
  }
  switch (key) {
    case 'ArrowDown':
      return focus(index + 1)
    case 'ArrowUp':
      return focus(index - 1)
    case 'PageDown':
      return focus(index + perView)
    case 'PageUp':
      return focus(index - perView)
    case 'Home':
      return focus(0)
    case 'End':
      return focus(shown - 1)
    case 'ArrowRight':
      return isRightToLeft ? outward() : inward()
    case 'ArrowLeft':
      return isRightToLeft ? inward() : outward()
    case 'Enter':
      return size > 0 ? { kind: 'toggle' } : null
    default:
      return null
  }
}
