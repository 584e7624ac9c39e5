import type { SelectionRectangle } from './draw-rubber-band.ts'
import styles from '../grid/grid.module.css'

/** Renders the rectangle that the user is drawing with the mouse to select rows. */
export function RubberBandOutline({
  band,
  offset,
}: {
  readonly band: SelectionRectangle
  readonly offset: number
}) {
  const { top, bottom, left, right } = band
  const style = { top: top - offset, blockSize: bottom - top, left, inlineSize: right - left }
  return <div className={styles.band} style={style} aria-hidden />
}
