import type { ViewMode } from '../../../shared/contract/fields/user-fields.ts'
import { isWithin, type Path } from '../../../shared/domain/path.ts'
import { storeList } from '../storage/stored-list.ts'
import { type EntryChange, entryChanged, pathAfter } from '../entry-changes.ts'
import { type FolderViews, folderViews, savedViews } from './folder-views.ts'

/**
 * The number of folders whose view is kept on this device, for each user. With paths of 100 characters they take 40 kB of the 5 MB
 * that a browser keeps for a server. The folder whose view was chosen first is forgotten first.
 */
export const maxFolderViews = 300

/** Keeps the view that the user has chosen for a folder. The empty text says that the gallery was proposed there. */
export const rememberView = (folder: Path, view: ViewMode | ''): void =>
  change((views) => [...[...views].filter(([path]) => path !== folder), [folder, view]])

/** Forgets the views of all folders, which then have the user's setting. What was proposed is not proposed again. */
export const forgetViews = (): void => change((views) => [...views].map(([path]) => [path, '']))

/** Keeps the views of folders that were renamed or moved in this tab, and forgets those of deleted ones. */
export const followFolderViews = (): (() => void) => entryChanged.subscribe(followChange)

function followChange(entryChange: EntryChange): void {
  const { from, to } = entryChange
  if (from === null || ![...folderViews.get().views.keys()].some((path) => isWithin(path as Path, from)))
    return
  change((views) => {
    const left = to === null ? [...views].filter(([path]) => !isWithin(path as Path, from)) : [...views]
    return left.map(([path, view]) => [pathAfter(path as Path, entryChange), view])
  })
}

/** Changes the views as they are in the browser's storage, which another tab may have changed. */
function change(make: (views: FolderViews) => readonly (readonly [string, ViewMode | ''])[]): void {
  const { key } = folderViews.get()
  if (key === '') return
  const views = new Map(make(savedViews(key)).slice(-maxFolderViews))
  folderViews.set({ key, views })
  storeList(key, [...views])
}
