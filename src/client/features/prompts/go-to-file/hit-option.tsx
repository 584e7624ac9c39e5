import { ListBoxItem } from 'react-aria-components/ListBox'
import { typeOfName } from '../../../../shared/domain/file-kind.ts'
import { nameOf, parentOf, root, type Path } from '../../../../shared/domain/path.ts'
import { clock, formatDate, formatRelative, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { EntryPicture } from '../../../listing/grid/entry-picture.tsx'
import { thumbnailPart } from '../../../listing/grid/thumbnail-part.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { MarkedName, MarkedText } from '../../../ui/marked-name.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { HitMarks } from './hit-marks.ts'
import styles from './hit-option.module.css'
import type { FileHit } from './use-file-hits.ts'

type HitOptionProps = {
  /** The path of the hit. The library identifies an option by this property, also when better hits move it. */
  readonly id: Path
  readonly hit: FileHit
  /** Returns the parts of a path that match what the user has typed. */
  readonly marksOf: (path: Path) => HitMarks
  readonly onOpen: (hit: FileHit) => void
  readonly className: string | undefined
}

/** Renders a hit: its thumbnail or icon, its name above its folder, and on wide screens its size and its date. */
export function HitOption({ id, hit, marksOf, onOpen, className = '' }: HitOptionProps) {
  const { path } = hit
  const folder = parentOf(path)
  const marks = marksOf(path)
  const entry = entryOf(hit)
  return (
    <ListBoxItem
      id={id}
      textValue={visibleName(nameOf(path))}
      className={className}
      onAction={() => onOpen(hit)}
    >
      <span className={styles.hit}>
        <HitPicture folder={folder} entry={entry} />
        <span className={styles.label}>
          <MarkedName name={nameOf(path)} rangesOf={() => marks.name} />
        </span>
        <span className={styles.place}>
          <bdi>
            {folder === root ? (
              t('sidebar.myFiles')
            ) : (
              <MarkedText text={visibleName(folder.slice(1))} ranges={marks.folder} />
            )}
          </bdi>
        </span>
        {hit.facts !== null && <HitFacts entry={entry} />}
      </span>
    </ListBoxItem>
  )
}

/** Renders the size and the date of a hit. */
function HitFacts({ entry: { isFolder, sizeBytes, modifiedMs } }: { readonly entry: ListedEntry }) {
  const nowMs = useStore(clock)
  const hasExactDates = useUser()?.dateFormat ?? false
  const exact = formatDate(modifiedMs)
  return (
    <span className={classNames(styles.facts, 'numbers')}>
      <span>{isFolder ? '' : formatSize(sizeBytes)}</span>
      <span className={styles.date} title={exact}>
        {hasExactDates ? exact : formatRelative(modifiedMs, nowMs)}
      </span>
    </span>
  )
}

type HitPictureProps = { readonly folder: Path; readonly entry: ListedEntry }

/** Renders the thumbnail of a hit, or its icon. Users who may not download see icons only. */
function HitPicture({ folder, entry }: HitPictureProps) {
  const part = useStore(thumbnailPart)
  const mayDownload = useMay()('download')
  const address = (mayDownload && !entry.isFolder && part?.addressOf(folder, entry, 'list')) || ''
  return <EntryPicture entry={entry} address={address} className={styles.picture} />
}

/** Returns a hit in the form of an entry of a listing. Its type follows from its name. */
function entryOf({ path, isFolder, facts }: FileHit): ListedEntry {
  const name = nameOf(path)
  const type = isFolder ? '' : (typeOfName(name) ?? 'blob')
  return { name, isFolder, isLink: false, isBroken: false, sizeBytes: 0, modifiedMs: 0, ...facts, type }
}
