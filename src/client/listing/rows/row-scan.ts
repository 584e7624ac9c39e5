import { createStore } from '../../state/store.ts'
import { type ListingColumns, idAt, isFolderId, publishSummary } from './columns.ts'
import { blockRows, createNameBlocks, findInBlock, type NameBlocks } from './name-blocks.ts'
import type { RowMatch } from './name-match.ts'

/** A scan that fills filtered columns with the matching rows of a folder. */
export type RowScan = {
  /**
   * Tests further rows while `hasTime` returns true, and publishes the matching rows found so far. Returns true when all
   * rows that have arrived are tested.
   */
  readonly advance: (hasTime: () => boolean) => boolean
  /** Returns false when rows were inserted, removed or renamed since the scan started. Such a scan has to start again. */
  readonly isCurrent: () => boolean
}

/**
 * Creates columns that will show some of the rows of `source`. They share the arrays and the ids of `source`, so a
 * selection applies to both.
 */
const createFilteredColumns = (source: ListingColumns): ListingColumns => ({
  ...source,
  summary: createStore(source.summary.get()),
  announced: null,
  order: new Uint32Array(0),
  count: 0,
  folders: 0,
})

/** The rows to scan, their names as texts, and the columns that show the matching rows. */
export type ScanTarget = {
  readonly source: ListingColumns
  readonly blocks: NameBlocks
  readonly shown: ListingColumns
}

/** Creates the target of scans of a folder. The names may have been prepared before. */
export const createScanTarget = (
  source: ListingColumns,
  blocks: NameBlocks = createNameBlocks(source),
): ScanTarget => ({ source, blocks, shown: createFilteredColumns(source) })

/** Starts a scan. The first call of `advance` tests the first rows. */
export function startRowScan({ source, blocks, shown }: ScanTarget, match: RowMatch): RowScan {
  const { edits } = source
  let order = new Uint32Array(source.count)
  let tested = 0
  let count = 0
  let folders = 0

  const addRow = (id: number): void => {
    order[count] = id
    count += 1
    folders += Number(isFolderId(source, id))
  }
  const testBlock = (): void => {
    const end = Math.min(tested - (tested % blockRows) + blockRows, source.count)
    const { asciiTerm, test } = match
    const start = tested
    tested = end
    const text = asciiTerm === null || start === end ? null : blocks.textOf(start, end)
    if (text !== null && asciiTerm !== null)
      return findInBlock(source, { text, start }, { term: asciiTerm, onMatch: addRow })
    for (let index = start; index < end; index += 1) {
      const id = idAt(source, index)
      if (test(source, id)) addRow(id)
    }
  }
  return {
    advance: (hasTime) => {
      if (order.length < source.count) order = enlargedOrder(order, source.count)
      do testBlock()
      while (tested < source.count && hasTime())
      showRows(source, shown, { order, count, folders })
      return tested >= source.count
    },
    isCurrent: () => source.edits === edits,
  }
}

/** Copies the references to the arrays as well, because the source replaces its arrays when they are too small. */
function showRows(
  source: ListingColumns,
  shown: ListingColumns,
  found: Pick<ListingColumns, 'count' | 'folders'> & { readonly order: Uint32Array },
): void {
  const { ids, edits, names, namesEnd, nameStart, nameBytes, sizes, modified, dates, types, flags } = source
  Object.assign(shown, {
    ids,
    edits,
    names,
    namesEnd,
    nameStart,
    nameBytes,
    sizes,
    modified,
    dates,
    types,
    flags,
  })
  Object.assign(shown, found)
  publishSummary(shown)
}

function enlargedOrder(order: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length)
  larger.set(order)
  return larger
}
