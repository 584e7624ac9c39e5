import { childOf, nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { EntriesOfFolder } from '../../state/listed-entry.ts'
import { type OpenFolder, openFolder } from '../../state/open-folder.ts'
import { useStore } from '../../state/store.ts'
import { formatWord } from '../../ui/kinds/format-word.ts'
import { ChecksumFacts } from './checksum-facts.tsx'
import { EntryFacts } from './entry-facts.tsx'
import { CountFacts, Fact, NameFact, PathFact, SizeFact } from './fact.tsx'
import { TreeSizeFact } from './tree-size-fact.tsx'
import { useChecksumPath } from './use-checksum-path.ts'
import styles from './facts.module.css'

type FactsListProps = EntriesOfFolder & {
  /** False in a pane that has the name above the list, and the checksums below it. */
  readonly isWhole: boolean
}

/** Renders what is known about one selected entry, about several selected entries, or about the open folder. */
export function FactsList({ folder, entries, isWhole }: FactsListProps) {
  const [entry] = entries
  const path = entry ? childOf(entry.folder ?? folder, entry.name) : null
  const checksumPath = useChecksumPath(folder, entries)
  return (
    <dl className={styles.facts}>
      {isWhole && entries.length < 2 && (
        <NameFact name={entry?.name ?? (nameOf(folder) || t('sidebar.myFiles'))} />
      )}
      {entry === undefined && <OpenFolderFacts folder={folder} />}
      {path !== null && entry !== undefined && entries.length === 1 && (
        <EntryFacts path={path} entry={entry} />
      )}
      {entries.length > 1 && <SelectionFacts folder={folder} entries={entries} />}
      {isWhole && checksumPath !== null && entry !== undefined && (
        <ChecksumFacts path={checksumPath} modifiedMs={entry.modifiedMs} />
      )}
    </dl>
  )
}

function OpenFolderFacts({ folder }: { readonly folder: Path }) {
  const open = useStore(openFolder)
  return (
    <>
      <PathFact path={folder} isFolder />
      <TreeSizeFact folders={[folder]} />
      {open?.folder === folder && <OpenFolderCounts counts={open.counts} />}
    </>
  )
}

const OpenFolderCounts = ({ counts }: Pick<OpenFolder, 'counts'>) => (
  <CountFacts {...useStore(counts)} isFolder />
)

function SelectionFacts({ folder, entries }: EntriesOfFolder) {
  const folders = entries.flatMap(({ name, isFolder, folder: own = folder }) =>
    isFolder ? (childOf(own, name) ?? []) : [],
  )
  const selected = {
    sizeBytes: entries.reduce((sum, { isFolder, sizeBytes }) => sum + (isFolder ? 0 : sizeBytes), 0),
    files: entries.length - folders.length,
    folders: folders.length,
    unreachable: entries.filter(({ isUnreachable }) => isUnreachable === true).length,
  }
  const kinds = new Set(entries.map(formatWord))
  return (
    <>
      <Fact label={t('prompt.info.type')}>
        {kinds.size === 1 ? [...kinds].join('') : t('details.variousTypes')}
      </Fact>
      {folders.length === 0 ? (
        <SizeFact sizeBytes={selected.sizeBytes} />
      ) : (
        <TreeSizeFact folders={folders} selected={selected} />
      )}
      <CountFacts files={selected.files} folders={selected.folders} />
    </>
  )
}
