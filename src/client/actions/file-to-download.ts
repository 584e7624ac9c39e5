import { childOf, type Path } from '../../shared/domain/path.ts'
import type { ActionContext } from './action.ts'

/** Returns the path of the only selected file. Returns null for a folder and for several entries, which are downloaded as an archive. */
export function fileToDownload({ folder, selected }: ActionContext): Path | null {
  const [entry, ...others] = selected
  return entry === undefined || entry.isFolder || others.length > 0 ? null : childOf(folder, entry.name)
}
