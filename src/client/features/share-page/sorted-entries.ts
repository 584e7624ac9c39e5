import type { ResourceItem } from '../../../shared/contract/resources.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { compareEntries } from '../../listing/rows/compare-entries.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { entrySorter } from './entry-sorter.ts'
import { fileTypeOf } from './share-download.ts'

type SortedEntries = { readonly order: ListingOrder; readonly entries: readonly ListedEntry[] }

/**
 * The entries of each response in the order that was asked for last. A file that is opened from a folder of 10,000 files
 * would otherwise wait until they are sorted once more, which takes about 0.2 s.
 */
const sorted = new WeakMap<readonly ResourceItem[], SortedEntries>()

/** Returns the entries of a response in the order in which a shared folder shows them. */
export const sortedEntries = (
  items: readonly ResourceItem[],
  order: ListingOrder,
): readonly ListedEntry[] => {
  const cached = sorted.get(items)
  if (cached?.order === order) return cached.entries
  const entries = items.map(entryOfItem).sort((a, b) => compareEntries(order, a, b))
  sorted.set(items, { order, entries })
  return entries
}

entrySorter.set(() => sortedEntries)

const entryOfItem = (item: ResourceItem): ListedEntry => ({
  name: item.name,
  isFolder: item.isDir,
  isLink: item.isSymlink,
  isBroken: item.type === 'invalid_link',
  sizeBytes: item.size,
  modifiedMs: Date.parse(item.modified),
  type: fileTypeOf(item),
})
