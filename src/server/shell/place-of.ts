import type { CommandPlace } from '../programs/run-in-sandbox.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { mayWrite, type Reach } from './refusal-of.ts'

/** Where a command of somebody is run; null where no program could be. Rejects like the storage: it judges the path. */
export async function placeOf(reach: Reach, path: Path): Promise<CommandPlace | null> {
  const folder = await reach.storage.localFolder(path)
  const top = await reach.storage.localFolder(root)
  const below = folder === null || top === null ? null : partBelow(top.realPath, folder.realPath)
  if (folder === null || top === null || below === null) return null
  const { ownNames: hiddenNames, ...scope } = top
  return { scope: { ...scope, hiddenNames, folder: below, mayWrite: mayWrite(reach) }, folder }
}

/** What leads from a folder to one in it, without a slash in front; null for one that is elsewhere. */
function partBelow(top: string, folder: string): string | null {
  if (folder === top) return ''
  const start = top === '/' ? '/' : `${top}/`
  return folder.startsWith(start) ? folder.slice(start.length) : null
}
