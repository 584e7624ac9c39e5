import { formatNumber, parseCount } from '../../../i18n/later-formats.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import type { PositionTool } from './tool.ts'
import styles from './page-field.module.css'

type PageFieldProps = Pick<PositionTool, 'position' | 'total' | 'onGo'>

/** Shows the number of the visible page. Enter goes to the page whose number was typed. */
export const PageField = ({ position, total, onGo }: PageFieldProps) => (
  <form
    key={position}
    className={styles.place}
    onSubmit={(event) => {
      event.preventDefault()
      const field = new FormData(event.currentTarget).get('page')
      const typed = typeof field === 'string' ? parseCount(field) : null
      if (typed !== null) onGo(Math.min(total, Math.max(1, typed)))
    }}
  >
    <RichText
      id="viewer.pageOf"
      values={{
        page: (
          <input
            className={styles.number}
            name="page"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('viewer.pageNumber')}
            defaultValue={formatNumber(position, 0)}
          />
        ),
        total,
      }}
    />
  </form>
)
