import { useState } from 'react'
import { root } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { dropOfferedFiles } from '../../operations/device/offered-files.ts'
import { itemOf } from '../../operations/pick-files.ts'
import { upload } from '../../operations/uploads.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { addRecentPlace } from '../../state/recent-places.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderPicker } from './folder-picker/folder-picker.tsx'
import { checkName } from './name-check.ts'
import { NamedEntries } from './named-entries.tsx'

/**
 * Asks for the folder of files that another app of the device has offered, uploads them there, and opens the folder. The device
 * forgets the files when the prompt is closed.
 */
export function OfferPrompt({ files }: { readonly files: readonly File[] }) {
  const [to, setTo] = useState(root)
  return (
    <Dialog
      title={t('prompt.offer.title')}
      onClose={close}
      onSubmit={() => {
        close()
        addRecentPlace({ path: to, isFolder: true })
        navigate(filesUrl(to, true))
        void upload(to, files.map(itemOf))
      }}
      actions={<DialogActions onCancel={close}>{t('prompt.upload.title')}</DialogActions>}
    >
      <p>{t('prompt.offer.text', { count: files.length })}</p>
      <NamedEntries entries={files.map(entryOf)} />
      <FolderPicker
        label={t('prompt.offer.title')}
        folder={to}
        onChoose={setTo}
        isExcluded={() => false}
        checkNewName={checkName}
      />
    </Dialog>
  )
}

function close(): void {
  closePrompt()
  void dropOfferedFiles()
}

/** Presents an offered file as an entry, of which the list shows the name and the picture. */
const entryOf = ({ name, size, lastModified }: File): ListedEntry => ({
  name,
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: size,
  modifiedMs: lastModified,
  type: 'blob',
})
