import { charactersIn, columnPx } from './column-geometry.ts'
import type { ColumnLayout } from './table-messages.ts'

/** A new width of a column in CSS pixels, the width that shows the longest text in it, or the width that it had at first. */
export type WidthChange = number | 'fitted' | 'initial'

/** The narrowest and the widest column, in CSS pixels for a root text size of 16 pixels. */
const minPx = 40
const maxPx = 2400

type ResizeRequest = {
  /** The widths that the user has changed, in characters, by column. */
  readonly resized: ReadonlyMap<number, number>
  readonly layout: ColumnLayout
  readonly column: number
  readonly change: WidthChange
  readonly remPx: number
}

/** Returns the changed widths after another change. */
export function withWidth({
  resized,
  layout,
  column,
  change,
  remPx,
}: ResizeRequest): ReadonlyMap<number, number> {
  const next = new Map(resized)
  if (change === 'initial') next.delete(column)
  else {
    const px = change === 'fitted' ? columnPx(layout.fitted[column] ?? 0, remPx) : change
    const scale = remPx / 16
    next.set(column, charactersIn(Math.min(maxPx * scale, Math.max(minPx * scale, px)), remPx))
  }
  return next
}
