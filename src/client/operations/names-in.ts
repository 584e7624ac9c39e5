import type { Path } from '../../shared/domain/path.ts'
import { callJson } from '../api/call.ts'

/** Fetches the names in a folder. The map's value is true for the name of a folder. */
export async function namesIn(folder: Path): Promise<ReadonlyMap<string, boolean>> {
  const resource = await callJson('resources.get', { path: folder, isFolder: true })
  const items = 'items' in resource ? resource.items : []
  return new Map(items.map(({ name, isDir }) => [name, isDir]))
}
