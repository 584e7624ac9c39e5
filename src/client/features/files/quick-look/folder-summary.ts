import type { ListingRow, RowStreamHead } from '../../../../shared/contract/resources.ts'
import type { FolderTotals } from '../../../../shared/contract/usage.ts'
import { bytesOf, createNdjsonReader } from '../../../../shared/domain/ndjson-reader.ts'

/** An entry of a folder: its name, the time of its last change in milliseconds since 1970, and its type. */
export type RecentEntry = {
  readonly name: string
  readonly modifiedMs: number
  readonly type: string
  readonly isFolder: boolean
}

/** The numbers of folders and files in a folder, and the entries that were changed last. */
export type FolderSummary = {
  readonly folders: number
  readonly files: number
  readonly recent: readonly RecentEntry[]
}

/** The number of entries that a summary names. */
const recentCount = 5

const folderFlag = 1

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
  const lines = createNdjsonReader()
  const entries: RecentEntry[] = []
  let counts: Omit<FolderSummary, 'recent'> | null = null
  for await (const bytes of bytesOf(response)) {
    for (const value of lines.push(bytes)) {
      if (counts === null) {
        const { numDirs: folders, total } = value as RowStreamHead
        counts = { folders, files: total - folders }
      } else entries.push(...(value as readonly ListingRow[]).map(recentEntryOf))
      if (entries.length >= counts.folders + recentCount) return { ...counts, recent: newestOf(entries) }
    }
  }
  return { folders: 0, files: 0, ...counts, recent: newestOf(entries) }
}

const recentEntryOf = ([name, , modifiedMs, type, flags]: ListingRow): RecentEntry => ({
  name,
  modifiedMs,
  type,
  isFolder: (flags & folderFlag) !== 0,
})

const newestOf = (entries: readonly RecentEntry[]): readonly RecentEntry[] =>
  entries.toSorted((a, b) => b.modifiedMs - a.modifiedMs).slice(0, recentCount)

/** Yields the size in bytes of everything below a folder from the server's count: so far, and finally the whole size. */
export async function* sizesFrom(
  response: Response,
): AsyncGenerator<{ readonly sizeBytes: number; readonly isComplete: boolean }, void> {
  const lines = createNdjsonReader()
  for await (const bytes of bytesOf(response))
    for (const value of lines.push(bytes)) {
      const { size, complete } = value as FolderTotals
      yield { sizeBytes: size, isComplete: complete }
    }
}
