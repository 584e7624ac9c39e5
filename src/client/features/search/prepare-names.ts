import { createNameBlocks, type NameBlocks } from '../../listing/rows/name-blocks.ts'
import type { ListingColumns } from '../../listing/rows/columns.ts'
import { createScanTarget, startRowScan } from '../../listing/rows/row-scan.ts'

/** The names of a folder as texts, which are made before the first letter is typed. */
export type PreparedNames = {
  readonly columns: ListingColumns
  readonly blocks: NameBlocks
  readonly stop: () => void
}

/** Names of larger folders are not prepared: their texts would take more than about 5 MB although nothing is typed. */
const maxPreparedRows = 200_000
/** The maximum time in milliseconds that names are prepared without a pause. */
const maxBlockingMs = 4

/**
 * A pattern that matches no name, because no name contains a slash. A scan for this pattern makes the texts of all
 * names.
 */
const matchNothing = { test: () => false, asciiTerm: '/' }

/**
 * Makes the texts of a folder's names in the background, because the first letter of a search would have to wait for
 * them: 100,000 names take about 5 ms.
 */
export function prepareNames(columns: ListingColumns): PreparedNames {
  const blocks = createNameBlocks(columns)
  const scan = startRowScan(createScanTarget(columns, blocks), matchNothing)
  let timer: ReturnType<typeof setTimeout> | undefined
  const work = (): void => {
    const endMs = performance.now() + maxBlockingMs
    if (!scan.advance(() => performance.now() < endMs)) timer = setTimeout(work)
  }
  if (columns.count <= maxPreparedRows) timer = setTimeout(work)
  return { columns, blocks, stop: () => clearTimeout(timer) }
}
