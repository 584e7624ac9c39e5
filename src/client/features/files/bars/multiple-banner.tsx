import { t } from '../../../i18n/translate.ts'
import { clearSelection, selection, setMultiple } from '../../../state/selection.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './multiple-banner.module.css'

/**
 * Renders a banner while the multiple-selection mode is on, in which plain clicks toggle rows. Its button ends the
 * mode.
 */
export const MultipleBanner = () => (
  <output className={styles.banner}>
    <Icon name="list-checks" />
    <span className={styles.text}>{t('listing.multiple')}</span>
    <Button
      kind="quiet"
      className={styles.clear}
      onClick={() => selection.set((now) => setMultiple(clearSelection(now), false))}
    >
      {t('buttons.clear')}
    </Button>
  </output>
)
