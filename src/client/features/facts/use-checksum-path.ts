import { childOf, type Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useMay } from '../../state/session.ts'

/** Returns the path of the one selected file whose checksums the user may ask for, or null. */
export function useChecksumPath(folder: Path, entries: readonly ListedEntry[]): Path | null {
  const may = useMay()
  const [entry, ...others] = entries
  if (entry === undefined || others.length > 0 || !may('download')) return null
  const { name, isFolder, isBroken, isUnreachable } = entry
  return isFolder || isBroken || isUnreachable === true ? null : childOf(entry.folder ?? folder, name)
}
