import { childOf, encodeName, nameOf, namesOf, type Path } from '../../shared/domain/path.ts'
import { archiveRequestLimits, archiveUrlChars } from '../../shared/domain/limits/archive-limits.ts'
import type { DownloadFormat } from '../api/download-formats.ts'
import { href } from '../api/href.ts'
import { t } from '../i18n/translate.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { openFolder } from '../state/open-folder.ts'
import { prompt } from '../state/prompt.ts'
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

/**
 * Downloads entries of a folder as one archive. Without entries, the folder itself is downloaded. When one archive cannot have
 * so many entries, the prompt for the format says so.
 */
export function downloadEntries(
  folder: Path,
  entries: readonly ListedEntry[],
  format: DownloadFormat = 'zip',
): void {
  const isWholeFolder = isWholeOpenFolder(folder, entries)
  const target = archiveTargetOf({ folder, entries, isWholeFolder }, format)
  if (target === null) prompt.set({ kind: 'download', folder, entries })
  else void startDownload(target, () => failureText(folder, entries))
}

/** Returns true for more entries than one archive can have. */
export const isTooManyToDownload = (folder: Path, entries: readonly ListedEntry[]): boolean =>
  archiveTargetOf({ folder, entries, isWholeFolder: isWholeOpenFolder(folder, entries) }, 'zip') === null

/** Returns true when as many entries are selected as the folder on screen has. */
function isWholeOpenFolder(folder: Path, selected: readonly ListedEntry[]): boolean {
  const open = openFolder.get()
  if (open?.folder !== folder || selected.some((entry) => entry.folder !== undefined)) return false
  const { files, folders } = open.counts.get()
  return files + folders === selected.length
}

function failureText(folder: Path, [entry, ...others]: readonly ListedEntry[]): string {
  if (others.length > 0) return t('failed.download.several', { count: others.length + 1 })
  return t('failed.download', { name: entry?.name ?? folderName(folder) })
}

/** Returns the name of a folder. The root folder has no name, so that it is called *My files*. */
export const folderName = (folder: Path): string => nameOf(folder) || t('sidebar.myFiles')
