import type { ListingOrder } from '../../../../shared/domain/sorting.ts'
import type { StatColumns } from '../calls/file-system-calls.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { keysOf } from './name-keys.ts'
import { orderByName } from './name-order.ts'
import { orderByValue } from './value-order.ts'

/**
 * The entries of a folder in the order in which a listing returns them. `take` returns the entries at the positions
 * from `from` up to, but not including, `end`.
 */
export type RankedEntries = { readonly count: number; take(from: number, end: number): Uint32Array }

/** The entries of a folder in two lists: folders, and all other entries. */
export type EntriesByKind = { readonly folders: Uint32Array; readonly others: Uint32Array }

/** Ranks entries by name, which needs no metadata of the entries. */
export function rankByName(
  names: PackedNames,
  { folders, others }: EntriesByKind,
  order: ListingOrder,
): RankedEntries {
  const keys = keysOf(names)
  const rank = (members: Uint32Array): RankedEntries => {
    const byName = orderByName(names, keys, members)
    return order.descending ? reversed(byName) : byName
  }
  if (order.folders === 'mixed') return rank(concatenateIndices(folders, others))
  const parts = [rank(folders), rank(others)]
  return concatenateRankings(order.folders === 'first' ? parts : parts.toReversed())
}

/**
 * Ranks entries by size or modification time. The caller must have read this metadata for all entries. Entries with
 * equal values are ordered by ascending name in both directions.
 */
export function rankByValue(
  { names, columns, visible }: { names: PackedNames; columns: StatColumns; visible: EntriesByKind },
  order: ListingOrder,
): RankedEntries {
  const values = order.by === 'size' ? columns.sizesBytes : columns.modifiedMs
  const keys = keysOf(names)
  const rank = (members: Uint32Array): RankedEntries => {
    const byName = orderByName(names, keys, members).take(0, members.length)
    return rankedEntriesOf(orderByValue(byName, values, order.descending))
  }
  const rankFolders = (members: Uint32Array): RankedEntries =>
    order.by === 'size' && order.ignoresFolderSizes === true
      ? orderByName(names, keys, members)
      : rank(members)
  const exists = (index: number): boolean => columns.modes[index] !== 0
  const [folders, others] = [visible.folders.filter(exists), visible.others.filter(exists)]
  if (order.folders === 'mixed') return rank(concatenateIndices(folders, others))
  const parts = [rankFolders(folders), rank(others)]
  return concatenateRankings(order.folders === 'first' ? parts : parts.toReversed())
}

const rankedEntriesOf = (order: Uint32Array): RankedEntries => ({
  count: order.length,
  take: (from, end) => order.subarray(from, end),
})

const reversed = (order: RankedEntries): RankedEntries => ({
  count: order.count,
  take: (from, end) => order.take(Math.max(0, order.count - end), order.count - from).toReversed(),
})

function concatenateRankings(parts: readonly RankedEntries[]): RankedEntries {
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    take(from, end) {
      let passed = 0
      const taken = parts.map((part) => {
        const [first, last] = [Math.max(0, from - passed), Math.min(part.count, end - passed)]
        passed += part.count
        return first < last ? part.take(first, last) : new Uint32Array()
      })
      return taken.reduce(concatenateIndices)
    },
  }
}

function concatenateIndices(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
