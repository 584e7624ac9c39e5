import type { FolderTotals } from '../../../shared/contract/usage.ts'
import type { RowStreamHead } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { call, CallError } from '../../api/call.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'
import type { FolderCounts } from '../../state/open-folder.ts'

/** The totals of everything below one or several folders. */
export type TreeTotals = FolderCounts & {
  readonly sizeBytes: number
  /** The number of entries that the server could not reach, and that are not counted. */
  readonly unreachable: number
}

export const noTotals: TreeTotals = { sizeBytes: 0, files: 0, folders: 0, unreachable: 0 }

export const sumOf = (a: TreeTotals, b: TreeTotals): TreeTotals => ({
  sizeBytes: a.sizeBytes + b.sizeBytes,
  files: a.files + b.files,
  folders: a.folders + b.folders,
  unreachable: a.unreachable + b.unreachable,
})

/**
 * Counts everything below the folders, one folder after the other. Yields the totals so far, and finally the complete
 * totals.
 * @throws CallError when the server refuses, or when the response ends before it is complete.
 */
export async function* totalsBelow(
  folders: readonly Path[],
  signal: AbortSignal,
): AsyncGenerator<TreeTotals, void> {
  let before = noTotals
  for (const path of folders) {
    let current = before
    let isComplete = false
    const response = await call('du.get', { path, signal })
    for await (const value of ndjsonValuesOf(response)) {
      const { size, numFiles, numDirs, complete, unreachable = 0 } = value as FolderTotals
      isComplete = complete
      current = sumOf(before, { sizeBytes: size, files: numFiles, folders: numDirs, unreachable })
      yield current
    }
    if (!isComplete) throw new CallError(0)
    before = current
  }
}

/** Fetches the numbers of folders and files in a folder. The rows that follow the first line are not read. */
export async function countsIn(folder: Path, signal: AbortSignal): Promise<FolderCounts> {
  const response = await call('resources.get', {
    path: folder,
    isFolder: true,
    headers: { accept: 'application/x-ndjson, application/json' },
    signal,
  })
  for await (const value of ndjsonValuesOf(response)) {
    const { numFiles, numDirs } = value as RowStreamHead
    return { files: numFiles, folders: numDirs }
  }
  throw new CallError(0)
}

/** Yields the JSON value of each line of a response. The rest of the response is cancelled when the caller stops. */
export async function* ndjsonValuesOf(response: Response): AsyncGenerator {
  const reader = createNdjsonReader()
  for await (const bytes of bytesOf(response)) yield* reader.push(bytes)
  yield* reader.end()
}
