import type { ListingRow, RowStreamHead } from '../../../shared/contract/resources.ts'
import { type ListedEntry, entryOfRow } from '../../state/listed-entry.ts'
import { ndjsonValuesOf } from '../../operations/folder-size/folder-totals.ts'

/** The numbers of folders and files in a folder, and the entries that were changed last. */
export type FolderSummary = {
  readonly folders: number
  readonly files: number
  readonly recent: readonly ListedEntry[]
}

/** The number of entries that a summary names. */
const recentCount = 5

/**
 * The query and the headers of a request for a summary: the row stream lists the folders first, and the newest entry of
 * each kind first. In this API `asc` with the value false means from new to old (contract 3.3).
 */
export const summaryRequest = {
  query: { by: 'modified', asc: 'false' },
  headers: { accept: 'application/x-ndjson' },
} as const

/**
 * Reads a summary from a row stream. Stops reading, and cancels the response, after the first files, so that a folder with
 * a million files costs no more than a small one.
 */
export async function readSummary(response: Response): Promise<FolderSummary> {
  const entries: ListedEntry[] = []
  let counts: Omit<FolderSummary, 'recent'> | null = null
  for await (const value of ndjsonValuesOf(response)) {
    if (counts === null) {
      const { numDirs: folders, total } = value as RowStreamHead
      counts = { folders, files: total - folders }
    } else entries.push(...(value as readonly ListingRow[]).map(entryOfRow))
    if (entries.length >= counts.folders + recentCount) break
  }
  return { folders: 0, files: 0, ...counts, recent: newestOf(entries) }
}

const newestOf = (entries: readonly ListedEntry[]): readonly ListedEntry[] =>
  entries.toSorted((a, b) => b.modifiedMs - a.modifiedMs).slice(0, recentCount)
