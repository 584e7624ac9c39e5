import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkCode } from './link-code.tsx'
import { ShareFacts, type ShareFactsProps, sharedText } from './share-facts.tsx'
import styles from './share-page.module.css'

type FolderDetailsProps = ShareFactsProps & { readonly onClose: () => void }

/** Shows the facts of a shared folder, and its address as a QR code. */
export const FolderDetails = ({ entry, endMs, onClose }: FolderDetailsProps) => (
  <Dialog
    title={t('guest.info')}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('buttons.close')}</Button>}
  >
    <div className={styles.details}>
      <p className={styles.muted}>{sharedText(endMs)}</p>
      <ShareFacts entry={entry} />
      <LinkCode />
    </div>
  </Dialog>
)
