import type { ResourceItem } from '../../shared/contract/resources.ts'
import type { FileType } from '../../shared/domain/file-types.ts'
import type { Path } from '../../shared/domain/path.ts'
import { callJson, statusOf } from '../api/call.ts'
import type { ComparedEntry } from '../state/listed-entry.ts'

/** Fetches the entries of a folder by their names. */
export async function namesIn(
  folder: Path,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ComparedEntry>> {
  const resource = await callJson('resources.get', {
    path: folder,
    isFolder: true,
    ...(signal !== undefined && { signal }),
  })
  const items = 'items' in resource ? resource.items : []
  return new Map(items.map((item) => [item.name, comparedEntryOf(item)]))
}

/** Fetches the facts about one entry, without its content. Returns null when no entry has the path. */
export async function fetchEntry(path: Path): Promise<ComparedEntry | null> {
  try {
    return comparedEntryOf(await callJson('resources.get', { path, query: { describe: true } }))
  } catch (thrown) {
    if (statusOf(thrown) === 404) return null
    throw thrown
  }
}

const comparedEntryOf = ({ isDir, type, size, modified }: ResourceItem): ComparedEntry => ({
  isFolder: isDir,
  type: type as FileType,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
})
