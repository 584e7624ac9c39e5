import { ListChecks } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { endMultiple } from '../../../listing/grid/shown-listings.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './multiple-banner.module.css'

/**
 * Renders the banner of the multiple-selection mode, in which plain clicks toggle the selection of rows. The button in
 * the banner ends the mode.
 */
export const MultipleBanner = () => (
  <output className={styles.banner}>
    <Icon icon={ListChecks} />
    <span className={styles.text}>{t('listing.multiple')}</span>
    <Button kind="quiet" className={styles.clear} onClick={endMultiple}>
      {t('action.clear-selection')}
    </Button>
  </output>
)
