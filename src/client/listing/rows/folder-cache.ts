import type { Path } from '../../../shared/domain/path.ts'
import { sizeOfColumns } from './columns.ts'
import type { FolderListing } from './row-stream.ts'

/**
 * A least-recently-used cache of folders. A cached folder is shown immediately, while a request to the server checks
 * whether it has changed.
 */
export type FolderCache = {
  readonly get: (path: Path) => FolderListing | null
  readonly put: (path: Path, folder: FolderListing) => void
  readonly forget: (path: Path) => void
  readonly clear: () => void
}

export type CacheLimits = { readonly folders: number; readonly bytes: number }

/** The limits of the folder cache from ux 2.5: 30 folders or 64 MB, whichever is reached first. */
export const cacheLimits: CacheLimits = { folders: 30, bytes: 64 * 1024 * 1024 }

export function createFolderCache(limits: CacheLimits = cacheLimits): FolderCache {
  const cached = new Map<Path, FolderListing>()
  return {
    get: (path) => {
      const folder = cached.get(path) ?? null
      if (folder !== null) markMostRecent(cached, path, folder)
      return folder
    },
    put: (path, folder) => {
      markMostRecent(cached, path, folder)
      evict(cached, limits)
    },
    forget: (path) => void cached.delete(path),
    clear: () => cached.clear(),
  }
}

/** Moves a folder to the end of the map. Folders at the start of the map are evicted first. */
function markMostRecent(cached: Map<Path, FolderListing>, path: Path, folder: FolderListing): void {
  cached.delete(path)
  cached.set(path, folder)
}

function evict(cached: Map<Path, FolderListing>, limits: CacheLimits): void {
  let bytes = cached.values().reduce((sum, { columns }) => sum + sizeOfColumns(columns), 0)
  for (const [path, { columns }] of cached) {
    if (cached.size <= limits.folders && bytes <= limits.bytes) return
    cached.delete(path)
    bytes -= sizeOfColumns(columns)
  }
}
