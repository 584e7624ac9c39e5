import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkCode } from './link-code.tsx'
import { EndOfLink, senderText, ShareFacts, type SharedEntryProps } from './share-facts.tsx'
import styles from './share-page.module.css'

type ShareDetailsProps = SharedEntryProps & { readonly onClose: () => void }

/** Shows the facts of a shared entry, and its address as a QR code. */
export const ShareDetails = ({ entry, terms, onClose }: ShareDetailsProps) => (
  <Dialog
    title={t('guest.info')}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('buttons.close')}</Button>}
  >
    <div className={styles.details}>
      <p className={styles.muted}>{senderText(terms)}</p>
      <ShareFacts entry={entry} />
      <EndOfLink {...terms} />
      <LinkCode />
    </div>
  </Dialog>
)
