import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { type DownloadFormat, downloadFormats } from '../../api/download-formats.ts'
import { downloadEntries, folderName, isTooManyToDownload } from '../../operations/download-archive.ts'
import type { EntriesOfFolder, ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { NamedEntries } from './named-entries.tsx'
import styles from './prompts.module.css'

/**
 * Asks for the format of an archive and downloads the entries as one archive. Without entries, the open folder itself
 * is downloaded.
 */
export function DownloadPrompt({ folder, entries }: EntriesOfFolder) {
  const shown = entries.length === 0 ? [entryOf(folder)] : entries
  const isTooMany = isTooManyToDownload(folder, entries)
  const download = (format: DownloadFormat): void => {
    closePrompt()
    downloadEntries(folder, entries, format)
  }
  return (
    <Dialog
      title={t('prompt.download.title')}
      onClose={closePrompt}
      actions={
        <Button onClick={closePrompt} ref={isTooMany ? focusFirst : null}>
          {t('buttons.cancel')}
        </Button>
      }
    >
      {isTooMany ? (
        <p>{t('prompt.download.tooMany', { count: entries.length })}</p>
      ) : (
        <>
          <NamedEntries entries={shown} />
          <p>{t('prompt.download.text')}</p>
          <div className={styles.formats}>
            {downloadFormats().map((format, index) => (
              <Button key={format} ref={index === 0 ? focusFirst : null} onClick={() => download(format)}>
                <bdi dir="ltr">{format}</bdi>
              </Button>
            ))}
          </div>
        </>
      )}
    </Dialog>
  )
}

/** Returns the open folder as an entry. */
const entryOf = (folder: Path): ListedEntry => ({
  name: folderName(folder),
  isFolder: true,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: '',
})
