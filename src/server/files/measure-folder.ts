import type { FolderTotals } from '../../shared/contract/usage.ts'
import { type Entry, isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Actor } from '../access/actor.ts'
import { walkInTurn, type TreeReadingDependencies, type TreeToRead } from './walk-in-turn.ts'

/**
 * Interval in milliseconds between two lines of preliminary totals. They show progress to the user, and keep proxies
 * from closing a connection that looks idle.
 */
const progressMs = 250

/**
 * Returns lines with the total size and the numbers of the files and folders below a folder. Entries that the actor may not see are
 * not counted, because the storage omits them. A link to a file counts with the size of the file, as in a listing. A
 * link to a folder counts as one folder, and is not followed.
 */
export async function measureFolder(
  dependencies: TreeReadingDependencies,
  actor: Actor,
  tree: TreeToRead,
): Promise<AsyncIterable<string>> {
  const entry = await actor.storage.stat(tree.path, { signal: tree.signal })
  if (entry.target?.kind === 'missing') throw new AppError('broken-link')
  if (!isFolder(entry)) throw new AppError('bad-request', { reason: 'only a folder can be measured' })
  return totalsLines((onUnreachable) => walkInTurn(dependencies, actor, { ...tree, onUnreachable }))
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
