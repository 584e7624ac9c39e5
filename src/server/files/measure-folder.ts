import { type FolderTotals, type getFolderTotals, totalsMediaType } from '../../shared/contract/usage.ts'
import { type Entry, isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { OperationRequest, RouteResponse } from '../http/route.ts'
import { walkInTurn, type TreeReadingDependencies } from './walk-in-turn.ts'

/**
 * Interval in milliseconds between two lines of preliminary totals. They show progress to the user, and keep proxies
 * from closing a connection that looks idle.
 */
const progressMs = 250

/**
 * Sends the total size and the numbers of the files and folders below a folder. Entries that the caller may not see are
 * not counted, because the storage omits them. A link to a file counts with the size of the file, as in a listing. A
 * link to a folder counts as one folder, and is not followed.
 */
export async function measureFolder(
  dependencies: TreeReadingDependencies,
  { caller, path, signal, reading }: OperationRequest<typeof getFolderTotals>,
): Promise<RouteResponse> {
  const entry = await caller.storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('broken-link')
  if (!isFolder(entry)) throw new AppError('bad-request', { reason: 'only a folder can be measured' })
  return {
    kind: 'stream',
    contentType: totalsMediaType,
    chunks: totalsLines((onUnreachable) =>
      walkInTurn(dependencies, { caller, reading }, { path, signal, onUnreachable }),
    ),
  }
}

async function* totalsLines(
  walk: (onUnreachable: () => void) => AsyncIterable<readonly Entry[]>,
): AsyncGenerator<string> {
  let unreachable = 0
  let totals: FolderTotals = { size: 0, numDirs: 0, numFiles: 0, complete: false }
  let sentMs = performance.now()
  for await (const batch of walk(() => (unreachable += 1))) {
    totals = batch.reduce(addEntry, totals)
    if (performance.now() - sentMs < progressMs) continue
    sentMs = performance.now()
    yield lineOf(totals)
  }
  yield lineOf({ ...totals, complete: true, ...(unreachable > 0 && { unreachable }) })
}

const lineOf = (totals: FolderTotals): string => `${JSON.stringify(totals)}\n`

function addEntry(totals: FolderTotals, entry: Entry): FolderTotals {
  if (isFolder(entry)) return { ...totals, numDirs: totals.numDirs + 1 }
  const { kind, sizeBytes } = entry.target ?? entry
  return {
    ...totals,
    size: totals.size + (kind === 'file' ? sizeBytes : 0),
    numFiles: totals.numFiles + 1,
  }
}
