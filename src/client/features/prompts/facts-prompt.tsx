import type { ReactNode } from 'react'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { formatCount, formatDate, formatRelative, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { type OpenFolder, openFolder } from '../../state/open-folder.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { focusFirst } from './focus-first.ts'
import styles from './prompts.module.css'

type FactsPromptProps = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/**
 * Shows the name, size and time of one selected entry, or the total size of several selected entries. When nothing is
 * selected, it shows the numbers of files and folders in the open folder.
 */
export function FactsPrompt({ folder, entries }: FactsPromptProps) {
  const [entry] = entries
  return (
    <Dialog
      title={t('prompt.info.title')}
      onClose={closePrompt}
      actions={
        <Button kind="primary" ref={focusFirst} onClick={closePrompt}>
          {t('buttons.ok')}
        </Button>
      }
    >
      {entries.length > 1 && <p>{t('prompt.info.selected', { count: entries.length })}</p>}
      <dl className={styles.facts}>
        {entry === undefined && <FolderFacts folder={folder} />}
        {entry !== undefined && entries.length === 1 && <EntryFacts entry={entry} />}
        {entries.length > 1 && <SizeFact sizeBytes={totalOf(entries)} />}
      </dl>
    </Dialog>
  )
}

const totalOf = (entries: readonly ListedEntry[]): number =>
  entries.reduce((sum, { isFolder, sizeBytes }) => sum + (isFolder ? 0 : sizeBytes), 0)

function EntryFacts({ entry: { name, isFolder, sizeBytes, modifiedMs } }: { readonly entry: ListedEntry }) {
  return (
    <>
      <Fact label={t('prompt.info.name')}>
        <FileName name={name} isWhole />
      </Fact>
      {!isFolder && <SizeFact sizeBytes={sizeBytes} />}
      <Fact label={t('prompt.info.modified')}>
        {formatRelative(modifiedMs)} <span className={styles.muted}>{formatDate(modifiedMs)}</span>
      </Fact>
    </>
  )
}

function FolderFacts({ folder }: { readonly folder: Path }) {
  const open = useStore(openFolder)
  return (
    <>
      <Fact label={t('prompt.info.name')}>
        <FileName name={nameOf(folder) || t('sidebar.myFiles')} isWhole />
      </Fact>
      {open?.folder === folder && <FolderCountFacts counts={open.counts} />}
    </>
  )
}

function FolderCountFacts({ counts }: Pick<OpenFolder, 'counts'>) {
  const { files, folders } = useStore(counts)
  return (
    <>
      <Fact label={t('prompt.info.files')}>{formatCount(files)}</Fact>
      <Fact label={t('prompt.info.folders')}>{formatCount(folders)}</Fact>
    </>
  )
}

function SizeFact({ sizeBytes }: { readonly sizeBytes: number }) {
  return (
    <Fact label={t('prompt.info.size')}>
      {formatSize(sizeBytes)}{' '}
      {sizeBytes >= 1024 && (
        <span className={styles.muted}>{t('prompt.info.bytes', { count: sizeBytes })}</span>
      )}
    </Fact>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
