import { downloadFormats } from '../../api/download-formats.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type ShareDownload, startShareDownload } from './share-download.ts'
import styles from './share-page.module.css'

type FormatDialogProps = {
  readonly download: ShareDownload
  readonly onClose: () => void
  readonly onRefused: (thrown: unknown) => void
}

/** Asks for the format of an archive and downloads it. */
export const FormatDialog = ({ download, onClose, onRefused }: FormatDialogProps) => (
  <Dialog
    title={t('guest.download.title')}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('guest.cancel')}</Button>}
  >
    <p>{t('guest.download.text')}</p>
    <div className={styles.formats}>
      {downloadFormats().map((algo) => (
        <Button
          key={algo}
          onClick={() => {
            onClose()
            void startShareDownload({ ...download, query: { ...download.query, algo } }).catch(onRefused)
          }}
        >
          <bdi dir="ltr">{algo}</bdi>
        </Button>
      ))}
    </div>
  </Dialog>
)
