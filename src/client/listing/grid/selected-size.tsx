import { formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { hasRow, type RowSet } from '../../state/row-set.ts'
import type { FolderRows } from '../rows/folder-rows.ts'

type SelectedSizeProps = { readonly rows: FolderRows; readonly chosen: RowSet }

/** Shows the total size of the chosen files. Shows nothing for folders alone, whose content is not known. */
export const SelectedSize = ({ rows, chosen }: SelectedSizeProps) =>
  selectedSizeText(rows.bytesOf(chosen), isFolderIn(rows, chosen))

/** Returns the size of selected entries as a text, which says so when folders among them are not counted. Null for no bytes. */
export function selectedSizeText(bytes: number, hasFolders: boolean): string | null {
  if (bytes === 0) return null
  return hasFolders ? t('prompt.info.withoutFolders', { size: formatSize(bytes) }) : formatSize(bytes)
}

/** Returns true when the chosen rows include a folder. Folders are the first rows in each order. */
export function isFolderIn({ summary, idAt }: FolderRows, chosen: RowSet): boolean {
  for (let index = 0; index < summary.folders; index += 1) if (hasRow(chosen, idAt(index))) return true
  return false
}
