import type { SearchHit } from '../../../shared/contract/search.ts'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { joinPaths, nameOf, parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import type { FoundEntry } from '../../listing/rows/found-columns.ts'
import { readFlags } from '../../state/listed-entry.ts'

/**
 * Converts a hit of the server. Returns null for a hit that is directly in the searched folder, because the filtered
 * rows of that folder already show it, and for a path that is longer than the limits. A hit without facts has disappeared
 * meanwhile, so it cannot be reached.
 */
export function foundEntryOf(folder: Path, hit: SearchHit): FoundEntry | null {
  const relative = hit.path.includes('/') ? pathOf(hit.path) : null
  const path = relative === null ? null : joinPaths(folder, relative)
  if (path === null) return null
  const name = nameOf(path)
  const { size: sizeBytes = 0, modifiedMs = 0, flags } = hit
  const facts = readFlags(flags ?? 16)
  // The server does not follow links, so only the flags tell that a link leads to a folder.
  const isFolder = hit.isDir || facts.isFolder
  const type = isFolder ? '' : (typeOfName(name) ?? 'blob')
  return { ...facts, path, folder: parentOf(path), name, isFolder, sizeBytes, modifiedMs, type }
}
