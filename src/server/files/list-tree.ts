import type { listBelow } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import { createIsoFormatter } from './json-text.ts'
import { walkInTurn, type TreeReadingDependencies } from './walk-in-turn.ts'

/**
 * Lists everything below a folder as one flat JSON array, depth first. The response is written while the storage walks
 * the folder (contract 3.10).
 */
export async function listTree(
  dependencies: TreeReadingDependencies,
  { caller, path, signal }: OperationRequest<typeof listBelow>,
): Promise<RouteResponse> {
  const entry = await caller.storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) throw new AppError('bad-request', { reason: 'only a folder can be listed' })
  return {
    kind: 'stream',
    contentType: 'application/json; charset=utf-8',
    chunks: entryJsonChunks(walkInTurn(dependencies, caller, { path, signal })),
  }
}

/** An entry together with its path below the caller's scope. */
type EntryWithPath = Entry & { readonly path: Path }

async function* entryJsonChunks(batches: AsyncIterable<readonly EntryWithPath[]>): AsyncGenerator<string> {
  const formatTime = createIsoFormatter()
  const write = (entry: EntryWithPath): string =>
    `{"path":${JSON.stringify(entry.path)},"name":${JSON.stringify(entry.name)},` +
    `"size":${entry.target?.sizeBytes ?? entry.sizeBytes},"modified":"${formatTime(entry.modifiedMs)}",` +
    `"isDir":${entry.kind === 'folder'}}`
  let separator = '['
  for await (const batch of batches) {
    const listed = batch.filter(isListed)
    if (listed.length === 0) continue
    yield separator + listed.map(write).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * True when an entry appears in the list. Links whose target is missing, and entries that are neither files nor
 * folders, do not appear (contract 5.2).
 */
const isListed = ({ kind, target }: Entry): boolean => !['other', 'missing'].includes(target?.kind ?? kind)
