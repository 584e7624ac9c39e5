import type { TreeRow } from './tree-rows.ts'

/** The effect of a key in the tree: it moves the focus to the row of an index, or expands or collapses the focused folder. */
export type TreeCommand =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'expand' | 'collapse' }

export type TreeKeyState = {
  readonly rows: readonly TreeRow[]
  /** The index of the focused row. */
  readonly at: number
  readonly isRightToLeft: boolean
}

/**
 * Returns what a key does in the tree, or null for keys that the tree does not handle. The keys are those of the tree
 * view pattern of the ARIA Authoring Practices Guide. In right-to-left languages ← and → are exchanged.
 */
export function treeCommandOf(key: string, { rows, at, isRightToLeft }: TreeKeyState): TreeCommand | null {
  const focus = (index: number): TreeCommand => ({
    kind: 'focus',
    index: Math.max(0, Math.min(rows.length - 1, index)),
  })
  switch (key) {
    case 'ArrowDown':
      return focus(at + 1)
    case 'ArrowUp':
      return focus(at - 1)
    case 'Home':
      return focus(0)
    case 'End':
      return focus(rows.length - 1)
    case 'ArrowRight':
      return isRightToLeft ? outward(rows, at) : inward(rows, at)
    case 'ArrowLeft':
      return isRightToLeft ? inward(rows, at) : outward(rows, at)
    default:
      return null
  }
}

/** Expands a folder. In an expanded folder, moves to its first row. */
function inward(rows: readonly TreeRow[], at: number): TreeCommand | null {
  const row = rows[at]
  if (row?.kind !== 'folder' || row.isLeaf) return null
  if (!row.isExpanded) return { kind: 'expand' }
  const next = rows[at + 1]
  return next !== undefined && next.level > row.level ? { kind: 'focus', index: at + 1 } : null
}

/** Collapses an expanded folder. From any other row, moves to the folder that contains the row. */
function outward(rows: readonly TreeRow[], at: number): TreeCommand | null {
  const row = rows[at]
  if (row === undefined) return null
  if (row.kind === 'folder' && row.isExpanded && !row.isLeaf) return { kind: 'collapse' }
  const index = rows.findLastIndex((other, index) => index < at && other.level < row.level)
  return index === -1 ? null : { kind: 'focus', index }
}
