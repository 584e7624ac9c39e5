import { compareNames, type ListingOrder } from '../../../shared/domain/sorting.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'

/**
 * Compares two entries as the server orders rows: folders come first, then the sort column decides, then the ascending name.
 * Sizes of folders are not on screen, so they do not count.
 */
export function compareEntries({ by, descending }: ListingOrder, a: ListedEntry, b: ListedEntry): number {
  const folders = Number(b.isFolder) - Number(a.isFolder)
  if (folders !== 0) return folders
  const difference = by === 'name' ? 0 : valueOf(by, a) - valueOf(by, b)
  const order = difference || compareNames(a.name, b.name)
  return descending && (by === 'name' || difference !== 0) ? -order : order
}

function valueOf(by: 'size' | 'modified', { isFolder, sizeBytes, modifiedMs }: ListedEntry): number {
  if (by === 'modified') return modifiedMs
  return isFolder ? 0 : sizeBytes
}
