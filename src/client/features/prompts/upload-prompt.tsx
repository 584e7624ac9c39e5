import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { uploadPicked } from '../../operations/upload-picked.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import styles from './prompts.module.css'

/** Asks whether to upload files or a folder with everything in it, and opens the browser's file picker. */
export function UploadPrompt({ folder }: { readonly folder: Path }) {
  const choose = (kind: 'files' | 'folder'): void => {
    void uploadPicked(folder, kind)
    closePrompt()
  }
  return (
    <Dialog
      title={t('prompt.upload.title')}
      onClose={closePrompt}
      actions={<Button onClick={closePrompt}>{t('buttons.cancel')}</Button>}
    >
      <p>{t('prompt.upload.text')}</p>
      <div className={styles.tiles}>
        <button type="button" className={styles.tile} onClick={() => choose('files')}>
          <FilePicture name="" isFolder={false} isLink={false} isBroken={false} type="text" size={48} />
          {t('prompt.upload.file')}
        </button>
        <button type="button" className={styles.tile} onClick={() => choose('folder')}>
          <FilePicture name="" isFolder isLink={false} isBroken={false} type="" size={48} />
          {t('prompt.upload.folder')}
        </button>
      </div>
    </Dialog>
  )
}
