import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import {
  relativePath,
  isWithin,
  joinPaths,
  pathOf,
  root as rootPath,
  type Path,
} from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'

/**
 * The path of a source's folder below the served folder. When the served folder is only a part of the source's folder,
 * `isWhole` is false and the path is the root.
 */
export type MappedFolder = { readonly path: Path; readonly isWhole: boolean }

/** Maps a path in a source to a path in the served folder. Returns null for a path outside of the served folder. */
export type FolderMapper = (source: string, path: string) => MappedFolder | null

/**
 * Creates a mapper. `folders` maps sources to folders below the served folder. A source that is not in `folders` is
 * located by its path on the machine.
 */
export function createFolderMapper(servedFolder: string, folders: ReadonlyMap<string, Path>): FolderMapper {
  const servedFolders = [servedFolder, realpathSync(servedFolder)].map((folder) => pathOf(folder))

  return (source, written) => {
    const path = confinedScope(written)
    if (path === null) return null
    const named = folders.get(source)
    if (named !== undefined) {
      const joined = joinPaths(named, path)
      return joined === null ? null : { path: joined, isWhole: true }
    }
    const host = source.startsWith('/') ? pathOf(posix.join(source, path)) : null
    if (host === null) return null
    const places = servedFolders.flatMap((served) => (served === null ? [] : (placeIn(host, served) ?? [])))
    return places.find(({ isWhole }) => isWhole) ?? places[0] ?? null
  }
}

function placeIn(host: Path, served: Path): MappedFolder | null {
  if (isWithin(host, served)) return { path: relativePath(host, served), isWhole: true }
  return isWithin(served, host) ? { path: rootPath, isWhole: false } : null
}
