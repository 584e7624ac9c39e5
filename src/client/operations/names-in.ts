import type { FolderResource } from '../../shared/contract/resources.ts'
import type { Path } from '../../shared/domain/path.ts'
import { callJson } from '../api/call.ts'

/** What stands in a folder now: each name, and whether it is a folder. */
export async function namesIn(folder: Path): Promise<ReadonlyMap<string, boolean>> {
  const { items } = await callJson<FolderResource>('resources.get', { path: folder, isFolder: true })
  return new Map(items.map(({ name, isDir }) => [name, isDir]))
}
