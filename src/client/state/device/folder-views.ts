import type { ViewMode } from '../../../shared/contract/fields/user-fields.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../personal.ts'
import { session, userOf, useUser } from '../session.ts'
import { useStore } from '../store.ts'

/**
 * The views that the user has chosen for folders on this device, the latest choice last. The empty text stands for a folder
 * that has no view of its own, and in which the gallery has been proposed.
 */
export type FolderViews = ReadonlyMap<string, ViewMode | ''>

/** The views, and the key of the browser's storage under which they are kept. The key is empty until they are loaded. */
export const folderViews = createPersonalStore<{ readonly key: string; readonly views: FolderViews }>({
  key: '',
  views: new Map(),
})

/** Loads the views of each user who signs in. They are kept per user and per base path, because one host may serve several instances. */
export function startFolderViews(basePath: string): void {
  const load = (): void => {
    const key = `views ${basePath}/ ${userOf()?.id}`
    if (key !== folderViews.get().key) folderViews.set({ key, views: savedViews(key) })
  }
  session.subscribe(load)
  load()
}

/** Returns the saved views. Other programs can write to the storage. */
export function savedViews(key: string): FolderViews {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Map(
      (saved as [string, ViewMode | ''][]).filter(([, view]) => /^(list|mosaic( gallery)?)?$/.test(view)),
    )
  } catch {
    return new Map()
  }
}

/** Returns the view of a folder: the one that was chosen for it on this device, or the user's setting. */
export const viewModeOf = (folder: Path, { views } = folderViews.get(), user = userOf()): ViewMode =>
  views.get(folder) || user?.viewMode || 'list'

/** Follows the view of a folder. */
export const useViewMode = (folder: Path): ViewMode => viewModeOf(folder, useStore(folderViews), useUser())
