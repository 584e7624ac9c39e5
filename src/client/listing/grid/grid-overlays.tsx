import { t } from '../../i18n/translate.ts'
import type { Geometry } from './geometry.ts'
import type { Band } from './use-rubber-band.ts'
import styles from './grid.module.css'

/** The rectangle that the mouse is drawing to select rows. */
export function BandOutline({ band, offset }: { readonly band: Band; readonly offset: number }) {
  const { top, bottom, left, right } = band
  const style = { top: top - offset, blockSize: bottom - top, left, inlineSize: right - left }
  return <div className={styles.band} style={style} aria-hidden />
}

/** The headings above the folders and above the files of the mosaic. The list has none. */
export function SectionHeadings({
  geometry,
  offset,
}: {
  readonly geometry: Geometry
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
