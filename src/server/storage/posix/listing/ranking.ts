import type { ListingOrder } from '../../../../shared/domain/sorting.ts'
import type { StatColumns } from '../calls/file-system-calls.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { keysOf } from './name-keys.ts'
import { orderByName } from './name-order.ts'
import { orderByValue } from './value-order.ts'

/** The entries of a folder in two lists: folders, and all other entries. */
export type EntriesByKind = { readonly folders: Uint32Array; readonly others: Uint32Array }

/**
 * Ranks entries by name, which needs no metadata of the entries. Returns the entries in the order of the listing, each as
 * the index of its name.
 */
export function rankByName(
  names: PackedNames,
  { folders, others }: EntriesByKind,
  order: ListingOrder,
): Uint32Array {
  const keys = keysOf(names)
  const rank = (members: Uint32Array): Uint32Array => {
    const byName = orderByName(names, keys, members)
    return order.descending ? byName.reverse() : byName
  }
  if (order.folders === 'mixed') return rank(concatenateIndices(folders, others))
  return inOrder(order, rank(folders), rank(others))
}

/**
 * Ranks entries by size or modification time, as `rankByName` does. The caller must have read this metadata for all
 * entries. Entries with equal values are ordered by ascending name in both directions.
 */
export function rankByValue(
  { names, columns, visible }: { names: PackedNames; columns: StatColumns; visible: EntriesByKind },
  order: ListingOrder,
): Uint32Array {
  const values = order.by === 'size' ? columns.sizesBytes : columns.modifiedMs
  const keys = keysOf(names)
  const rank = (members: Uint32Array): Uint32Array =>
    orderByValue(orderByName(names, keys, members), values, order.descending)
  const rankFolders = (members: Uint32Array): Uint32Array =>
    order.by === 'size' && order.ignoresFolderSizes === true
      ? orderByName(names, keys, members)
      : rank(members)
  const exists = (index: number): boolean => columns.modes[index] !== 0
  const [folders, others] = [visible.folders.filter(exists), visible.others.filter(exists)]
  if (order.folders === 'mixed') return rank(concatenateIndices(folders, others))
  return inOrder(order, rankFolders(folders), rank(others))
}

const inOrder = (order: ListingOrder, folders: Uint32Array, others: Uint32Array): Uint32Array =>
  order.folders === 'first' ? concatenateIndices(folders, others) : concatenateIndices(others, folders)

function concatenateIndices(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
