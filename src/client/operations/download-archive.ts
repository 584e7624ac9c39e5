import { childOf, encodeName, namesOf, type Path } from '../../shared/domain/path.ts'
import { archiveRequestLimits, archiveUrlChars } from '../../shared/domain/limits/archive-limits.ts'
import type { DownloadFormat } from '../api/download-formats.ts'
import { href } from '../api/href.ts'
import { t } from '../i18n/translate.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { type DownloadTarget, startDownload } from './download.ts'

/** The entries of a folder that are packed. Without entries, the folder itself is packed. */
export type ArchiveSelection = {
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
  /** True when the entries are all entries of the folder. Their names then need not be sent. */
  readonly isWholeFolder: boolean
}

/**
 * Returns the request for an archive. Returns null for more names than one request can contain.
 *
 * The names are percent-encoded twice, so that a comma inside of a name is not read as the end of the name (contract
 * 5.2): each name here, and the whole list as a part of the query.
 */
export function archiveTargetOf(
  { folder, entries, isWholeFolder }: ArchiveSelection,
  algo: DownloadFormat,
): DownloadTarget | null {
  const [entry] = entries
  if (entry === undefined || isWholeFolder) return { path: folder, query: { algo } }
  const child = entries.length === 1 && entry.isFolder ? childOf(entry.folder ?? folder, entry.name) : null
  if (child !== null) return { path: child, query: { algo } }
  if (entries.length > archiveRequestLimits.archiveNames) return null
  const files = entries.map((one) => encodeName(relativeNameOf(folder, one))).join(',')
  const target = { path: folder, query: { files, algo } }
  return href('raw.get', target).length > archiveUrlChars ? null : target
}

/** Returns the path of an entry relative to a folder. For an entry of the folder itself, this is its name. */
const relativeNameOf = (folder: Path, { name, folder: own = folder }: ListedEntry): string =>
  [...namesOf(own).slice(namesOf(folder).length), name].join('/')

/** Starts the download of an archive. */
export const downloadArchive = (target: DownloadTarget, name: string | number): Promise<void> =>
  startDownload(target, () =>
    typeof name === 'number' ? t('failed.download.several', { count: name }) : t('failed.download', { name }),
  )
