import { useState } from 'react'
import { typeOfName } from '../../../../../shared/domain/file-kind.ts'
import { nameOf, parentOf, root, type Path } from '../../../../../shared/domain/path.ts'
import { clock, formatDate, formatRelative, formatSize } from '../../../../i18n/format.ts'
import { listText } from '../../../../i18n/joined-texts.ts'
import { t } from '../../../../i18n/translate.ts'
import { EntryPicture } from '../../../../listing/grid/entry-picture.tsx'
import { thumbnailOf } from '../../../../operations/thumbnails/thumbnail-address.ts'
import { textOfPlace } from '../../../../paths/names-of-place.ts'
import type { ListedEntry } from '../../../../state/listed-entry.ts'
import { useMay, useUser } from '../../../../state/session.ts'
import { useStore } from '../../../../state/store.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { visibleName } from '../../../../ui/visible-name.ts'
import { FittedText } from './fitted-text.tsx'
import type { HitMarks } from './hit-marks.ts'
import styles from './hit-content.module.css'
import type { FileHit } from './use-file-hits.ts'

type HitContentProps = {
  readonly hit: FileHit
  /** The parts of the name and of the folder that match what the user has typed. */
  readonly marks: HitMarks
}

/** Renders a hit: its thumbnail or icon, its name above its folder, and on wide screens its size and its date. */
export function HitContent({ hit, marks }: HitContentProps) {
  const facts = useHitFacts(hit)
  const { path } = hit
  const texts = [nameTextOf(path), folderTextOf(path), facts?.size ?? '', facts?.date ?? '']
  const [widthPx, setWidthPx] = useState(0)
  const [column] = useState(() => observeWidth(setWidthPx))
  return (
    <>
      {/* Screen readers would read the pieces of a marked or shortened name as words of their own. */}
      <span className={styles.hit} aria-hidden="true">
        <HitPicture hit={hit} />
        <span ref={column} className={styles.column} />
        <span className={styles.label}>
          <FittedText text={nameTextOf(path)} marks={marks.name} keeps="start" widthPx={widthPx} />
        </span>
        <span className={styles.place}>
          <FittedText text={folderTextOf(path)} marks={marks.folder} keeps="end" widthPx={widthPx} />
        </span>
        {facts !== null && (
          <span className={classNames(styles.facts, 'numbers')}>
            <span>{facts.size}</span>
            <span className={styles.date} title={facts.exactDate}>
              {facts.date}
            </span>
          </span>
        )}
      </span>
      <span className="visually-hidden">{listText(texts)}</span>
    </>
  )
}

/** Returns the `ref` of an element whose width is reported in CSS pixels. */
const observeWidth = (report: (widthPx: number) => void) => (element: HTMLElement) => {
  report(element.clientWidth)
  const observer = new ResizeObserver(() => report(element.clientWidth))
  observer.observe(element)
  return () => observer.disconnect()
}

/** Returns the name of an entry as it is displayed. */
export const nameTextOf = (path: Path): string =>
  path === root ? t('sidebar.myFiles') : visibleName(nameOf(path))

/** Returns the folder of a path as it is displayed. The root has none. */
const folderTextOf = (path: Path): string => (path === root ? '' : textOfPlace(parentOf(path)))

type FactTexts = { readonly size: string; readonly date: string; readonly exactDate: string }

/** Returns the size and the date of a hit as texts, or null when they are not known. */
function useHitFacts({ facts, isFolder }: FileHit): FactTexts | null {
  const nowMs = useStore(clock)
  const hasExactDates = useUser()?.dateFormat ?? false
  if (facts === null) return null
  const exactDate = formatDate(facts.modifiedMs)
  return {
    size: isFolder ? '' : formatSize(facts.sizeBytes),
    date: hasExactDates ? exactDate : formatRelative(facts.modifiedMs, nowMs),
    exactDate,
  }
}

/** Renders the thumbnail of a hit whose version is known, or its icon. Users who may not download see icons only. */
function HitPicture({ hit }: { readonly hit: FileHit }) {
  const mayDownload = useMay()('download')
  const entry = entryOf(hit)
  const hasThumbnail = hit.facts !== null && mayDownload && !hit.isFolder
  const address = (hasThumbnail && thumbnailOf(parentOf(hit.path), entry)) || ''
  return <EntryPicture entry={entry} address={address} className={styles.picture} />
}

/** Returns a hit in the form of an entry of a listing. Its type follows from its name. */
function entryOf({ path, isFolder, facts }: FileHit): ListedEntry {
  const name = nameOf(path)
  const type = isFolder ? '' : (typeOfName(name) ?? 'blob')
  return { name, isFolder, isLink: false, isBroken: false, sizeBytes: 0, modifiedMs: 0, ...facts, type }
}
