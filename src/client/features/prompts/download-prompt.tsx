import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { type DownloadFormat, downloadFormats } from '../../api/download-formats.ts'
import { archiveTargetOf, downloadArchive } from '../../operations/download-archive.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolder } from '../../state/open-folder.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { NamedEntries } from './named-entries.tsx'
import styles from './prompts.module.css'

type DownloadPromptProps = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/**
 * Asks for the format of an archive and downloads the entries as one archive. Without entries, the open folder itself
 * is downloaded.
 */
export function DownloadPrompt({ folder, entries }: DownloadPromptProps) {
  const shown = entries.length === 0 ? [entryOf(folder)] : entries
  const selection = { folder, entries, isWholeFolder: isWholeFolder(folder, entries) }
  const isTooMany = archiveTargetOf(selection, 'zip') === null
  const download = (format: DownloadFormat): void => {
    const target = archiveTargetOf(selection, format)
    closePrompt()
    const [entry] = shown
    if (target === null || entry === undefined) return
    void downloadArchive(target, shown.length === 1 ? visibleName(entry.name) : shown.length)
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

/** Returns the open folder as an entry. The root folder has no name, so that its entry is called *My files*. */
const entryOf = (folder: Path): ListedEntry => ({
  name: nameOf(folder) || t('sidebar.myFiles'),
  isFolder: true,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: '',
})

/** Returns true when as many entries are selected as the folder on screen has. */
function isWholeFolder(folder: Path, selected: readonly ListedEntry[]): boolean {
  const open = openFolder.get()
  if (open?.folder !== folder || selected.some((entry) => entry.folder !== undefined)) return false
  const { files, folders } = open.counts.get()
  return files + folders === selected.length
}
