import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import { createIsoFormatter } from './json-text.ts'
import { walkInTurn, type TreeReadingDependencies, type TreeToRead } from './walk-in-turn.ts'

/**
 * Lists everything below a folder as one flat JSON array, depth first. The array is written while the storage walks
 * the folder (contract 3.10).
 */
export async function listTree(
  dependencies: TreeReadingDependencies,
  actor: Actor,
  tree: TreeToRead,
): Promise<AsyncIterable<string>> {
  const entry = await actor.storage.stat(tree.path, { signal: tree.signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) throw new AppError('bad-request', { reason: 'only a folder can be listed' })
  return entryJsonChunks((onUnreachable) => walkInTurn(dependencies, actor, { ...tree, onUnreachable }))
}

/** An entry together with its path below the caller's scope. */
type EntryWithPath = Entry & { readonly path: Path }

type EntryWalk = (onUnreachable: (path: Path) => void) => AsyncIterable<readonly EntryWithPath[]>

/**
 * Writes the entries as JSON. The last entry of a batch is written after the next message of the walk, which may report that this
 * entry, a folder, cannot be read.
 */
async function* entryJsonChunks(walk: EntryWalk): AsyncGenerator<string> {
  const formatTime = createIsoFormatter()
  const write = (entry: EntryWithPath, isUnreachable = false): string =>
    `{"path":${JSON.stringify(entry.path)},"name":${JSON.stringify(entry.name)},` +
    `"size":${entry.target?.sizeBytes ?? entry.sizeBytes},"modified":"${formatTime(entry.modifiedMs)}",` +
    `"isDir":${entry.kind === 'folder'}${isUnreachable ? ',"unreachable":true' : ''}}`
  let separator = '['
  let last: EntryWithPath | undefined
  let unreachable: Path | null = null
  for await (const batch of walk((path) => (unreachable = path))) {
    const listed = batch.filter(isListed)
    const rows: string[] = []
    if (last !== undefined && (listed.length > 0 || unreachable !== null))
      rows.push(write(last, unreachable === last.path))
    if (unreachable !== null && unreachable !== last?.path)
      rows.push(write(unreachableEntry(unreachable), true))
    rows.push(...listed.slice(0, -1).map((entry) => write(entry)))
    last = listed.at(-1) ?? (unreachable === null ? last : undefined)
    unreachable = null
    if (rows.length === 0) continue
    yield separator + rows.join(',')
    separator = ','
  }
  if (last !== undefined) yield separator + write(last)
  yield separator === '[' && last === undefined ? '[]' : ']'
}

/** Returns an entry whose metadata cannot be read with the values of an unreachable entry of a listing: an empty file. */
const unreachableEntry = (path: Path): EntryWithPath => ({
  path,
  name: nameOf(path),
  kind: 'file',
  sizeBytes: 0,
  modifiedMs: 0,
  mode: 0,
  etag: '',
})

/**
 * True when an entry appears in the list. Links whose target is missing, and entries that are neither files nor
 * folders, do not appear (contract 5.2).
 */
const isListed = ({ kind, target }: Entry): boolean => !['other', 'missing'].includes(target?.kind ?? kind)
