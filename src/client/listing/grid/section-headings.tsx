import { t } from '../../i18n/translate.ts'
import { formatMonth } from '../../i18n/format.ts'
import type { GridSection, RowRange } from './geometry.ts'
import styles from './grid.module.css'

type SectionHeadingsProps = {
  readonly sections: readonly GridSection[]
  /** The rows that are rendered. Only their sections have their headings in the document. */
  readonly range: RowRange
  readonly offset: number
}

/**
 * Renders the headings above the folders, the files, and the months of a gallery that is sorted by date. The list and a folder
 * with only one section have none.
 */
export function SectionHeadings({ sections, range, offset }: SectionHeadingsProps) {
  return sections.map(({ title, first, count, headingTop }) =>
    headingTop === null || first >= range.end || first + count <= range.first ? null : (
      <h2 key={title} className={styles.heading} style={{ top: headingTop - offset }}>
        {typeof title === 'number' ? formatMonth(title) : t(`listing.${title}`)}
      </h2>
    ),
  )
}
