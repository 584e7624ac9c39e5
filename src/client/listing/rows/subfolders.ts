import type { ListingRow, RowStreamHead } from '../../../shared/contract/resources.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'

/** The first subfolders of a folder, ordered by name. */
export type Subfolders = {
  readonly names: readonly string[]
  /** The number of all subfolders, which may be larger than the number of names. */
  readonly total: number
}

const folderFlag = 1

/**
 * The query and the headers of a request for subfolders: the row stream lists the folders first, ordered by name. In this
 * API `asc` with the value false means from A to Z (contract 3.3).
 */
export const subfoldersRequest = {
  query: { by: 'name', asc: 'false' },
  headers: { accept: 'application/x-ndjson' },
} as const

/**
 * Reads the names of the subfolders at the beginning of a row stream. Stops reading, and cancels the response, after
 * the last folder or after `limit` names, so that a folder with a million files costs no more than a small one.
 */
export async function readSubfolders(response: Response, limit: number): Promise<Subfolders> {
  const lines = createNdjsonReader()
  const names: string[] = []
  let total = 0
  let isHead = true
  for await (const bytes of bytesOf(response)) {
    for (const value of lines.push(bytes)) {
      if (isHead) total = (value as RowStreamHead).numDirs
      else names.push(...foldersIn(value as readonly ListingRow[]))
      isHead = false
      if (names.length >= Math.min(total, limit)) return { names: names.slice(0, limit), total }
    }
  }
  return { names, total: names.length }
}

const foldersIn = (rows: readonly ListingRow[]): string[] =>
  rows.flatMap(([name, , , , flags]) => ((flags & folderFlag) === 0 ? [] : name))
