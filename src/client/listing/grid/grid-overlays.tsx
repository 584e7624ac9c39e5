import { t } from '../../i18n/translate.ts'
import type { GridGeometry } from './geometry.ts'
import type { SelectionRectangle } from '../band/draw-rubber-band.ts'
import styles from './grid.module.css'

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

/** Renders the headings above the folders and above the files of the mosaic. The list and a folder with only one of the two have none. */
export function SectionHeadings({
  geometry,
  offset,
}: {
  readonly geometry: GridGeometry
  readonly offset: number
}) {
  const { folders, files } = geometry
  return (
    <>
      {folders.headingTop !== null && (
        <h2 className={styles.heading} style={{ top: folders.headingTop - offset }}>
          {t('listing.folders')}
        </h2>
      )}
      {files.headingTop !== null && (
        <h2 className={styles.heading} style={{ top: files.headingTop - offset }}>
          {t('listing.files')}
        </h2>
      )}
    </>
  )
}
