import { childOf, nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { type OpenFolder, openFolder } from '../../state/open-folder.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { EntryFacts } from './facts/entry-facts.tsx'
import { CountFacts, NameFact, PathFact, SizeFact } from './facts/fact.tsx'
import { TreeSizeFact } from './facts/tree-size-fact.tsx'
import styles from './facts/facts.module.css'

type FactsPromptProps = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/** Shows information about one selected entry, about several selected entries, or about the open folder. */
export function FactsPrompt({ folder, entries }: FactsPromptProps) {
  const [entry] = entries
  const path = entry ? childOf(entry.folder ?? folder, entry.name) : null
  return (
    <Dialog
      title={titleOf(entries)}
      onClose={closePrompt}
      width="wide"
      actions={
        <Button kind="primary" ref={focusFirst} onClick={closePrompt}>
          {t('buttons.ok')}
        </Button>
      }
    >
      {entries.length > 1 && (
        <p>
          {t(
            entries.some(({ isFolder }) => isFolder) ? 'prompt.info.selectedItems' : 'prompt.info.selected',
            {
              count: entries.length,
            },
          )}
        </p>
      )}
      <dl className={styles.facts}>
        {entry === undefined && <OpenFolderFacts folder={folder} />}
        {path !== null && entry !== undefined && entries.length === 1 && (
          <EntryFacts path={path} entry={entry} />
        )}
        {entries.length > 1 && <SelectionFacts folder={folder} entries={entries} />}
      </dl>
    </Dialog>
  )
}

function titleOf([entry, ...others]: readonly ListedEntry[]): string {
  if (others.length > 0) return t('prompt.info.severalTitle')
  return t(entry?.isFolder === false ? 'prompt.info.title' : 'prompt.info.folderTitle')
}

function OpenFolderFacts({ folder }: { readonly folder: Path }) {
  const open = useStore(openFolder)
  return (
    <>
      <NameFact name={nameOf(folder) || t('sidebar.myFiles')} />
      <PathFact path={folder} />
      <TreeSizeFact folders={[folder]} />
      {open?.folder === folder && <OpenFolderCounts counts={open.counts} />}
    </>
  )
}

const OpenFolderCounts = ({ counts }: Pick<OpenFolder, 'counts'>) => (
  <CountFacts {...useStore(counts)} isFolder />
)

function SelectionFacts({ folder, entries }: FactsPromptProps) {
  const folders = entries.flatMap(({ name, isFolder, folder: own = folder }) =>
    isFolder ? (childOf(own, name) ?? []) : [],
  )
  const selected = {
    sizeBytes: entries.reduce((sum, { isFolder, sizeBytes }) => sum + (isFolder ? 0 : sizeBytes), 0),
    files: entries.length - folders.length,
    folders: folders.length,
    unreachable: entries.filter(({ isUnreachable }) => isUnreachable === true).length,
  }
  return (
    <>
      {folders.length === 0 ? (
        <SizeFact sizeBytes={selected.sizeBytes} />
      ) : (
        <TreeSizeFact folders={folders} selected={selected} />
      )}
      <CountFacts files={selected.files} folders={selected.folders} />
    </>
  )
}
