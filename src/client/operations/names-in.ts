import type { Path } from '../../shared/domain/path.ts'
import type { FileType } from '../../shared/domain/file-types.ts'
import { callJson } from '../api/call.ts'
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
  return new Map(
    items.map(({ name, isDir, type, size, modified }) => [
      name,
      { isFolder: isDir, type: type as FileType, sizeBytes: size, modifiedMs: Date.parse(modified) },
    ]),
  )
}
