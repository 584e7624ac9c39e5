import type { Path } from '../../../shared/domain/path.ts'
import { sizeOfColumns } from './columns.ts'
import type { ReadFolder } from './row-stream.ts'

/** Folders that were open lately, the least recently used first: they show at once while the server is asked again. */
export type FolderCache = {
  readonly get: (path: Path) => ReadFolder | null
  readonly put: (path: Path, folder: ReadFolder) => void
  readonly forget: (path: Path) => void
  readonly clear: () => void
}

export type CacheLimits = { readonly folders: number; readonly bytes: number }

export const cacheLimits: CacheLimits = { folders: 30, bytes: 64 * 1024 * 1024 }

export function createFolderCache(limits: CacheLimits = cacheLimits): FolderCache {
  const kept = new Map<Path, ReadFolder>()
  return {
    get: (path) => {
      const folder = kept.get(path) ?? null
      if (folder !== null) keepLast(kept, path, folder)
      return folder
    },
    put: (path, folder) => {
      keepLast(kept, path, folder)
      shrink(kept, limits)
    },
    forget: (path) => void kept.delete(path),
    clear: () => kept.clear(),
  }
}

function keepLast(kept: Map<Path, ReadFolder>, path: Path, folder: ReadFolder): void {
  kept.delete(path)
  kept.set(path, folder)
}

function shrink(kept: Map<Path, ReadFolder>, limits: CacheLimits): void {
  let bytes = kept.values().reduce((sum, { columns }) => sum + sizeOfColumns(columns), 0)
  for (const [path, { columns }] of kept) {
    if (kept.size <= limits.folders && bytes <= limits.bytes) return
    kept.delete(path)
    bytes -= sizeOfColumns(columns)
  }
}
