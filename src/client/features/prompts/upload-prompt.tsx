import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { pickFiles } from '../../operations/pick-files.ts'
import { upload } from '../../operations/uploads.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import styles from './prompts.module.css'

/** Asks whether to upload files or a folder with everything in it, and opens the browser's file picker. */
export function UploadPrompt({ folder }: { readonly folder: Path }) {
  const choose = async (kind: 'files' | 'folder'): Promise<void> => {
    const picked = pickFiles(kind)
    closePrompt()
    const items = await picked
    if (items.length > 0) await upload(folder, items)
  }
  return (
    <Dialog title={t('prompt.upload.title')} onClose={closePrompt}>
      <p>{t('prompt.upload.text')}</p>
      <div className={styles.tiles}>
        <button type="button" className={styles.tile} onClick={() => void choose('files')}>
          <FilePicture name="" isFolder={false} isLink={false} isBroken={false} type="text" size={48} />
          {t('prompt.upload.file')}
        </button>
        <button type="button" className={styles.tile} onClick={() => void choose('folder')}>
          <FilePicture name="" isFolder isLink={false} isBroken={false} type="" size={48} />
          {t('prompt.upload.folder')}
        </button>
      </div>
    </Dialog>
  )
}
