import { pathOf, type Path } from '../../shared/domain/path.ts'
import { storedList, storeList } from './storage/stored-list.ts'
import { type EntryChange, entryChanged, pathAfter } from './entry-changes.ts'
import { pinned } from './pins.ts'
import { session, userOf } from './session.ts'

/**
 * Loads the pinned folders of each user who signs in, and keeps them up to date with renames and with the other tabs.
 * They are kept per user and per base path, because one host may serve several instances.
 */
export function startPins(basePath: string): void {
  const load = (): void => {
    const user = userOf()
    const key = `pins ${basePath}/ ${user?.id}`
    if (user !== null) pinned.set({ key, folders: savedFolders(key) })
  }
  session.subscribe(() => {
    if (pinned.get().key === '') load()
  })
  addEventListener('storage', ({ key }) => {
    if (key === pinned.get().key) load()
  })
  entryChanged.subscribe(followChange)
  load()
}

export const pinFolder = (folder: Path): void => changePins((folders) => [...new Set([...folders, folder])])

export const unpinFolder = (folder: Path): void =>
  changePins((folders) => folders.filter((other) => other !== folder))

/** Moves a pinned folder up (-1) or down (1) by one position. */
export function movePinnedFolder(folder: Path, step: -1 | 1): void {
  changePins((folders) => {
    const at = folders.indexOf(folder)
    const other = folders[at + step]
    return other === undefined ? folders : folders.with(at, other).with(at + step, folder)
  })
}

/** Replaces the paths of pinned folders that were renamed or moved in this tab. */
function followChange(change: EntryChange): void {
  changePins((folders) => {
    const moved = folders.map((folder) => pathAfter(folder, change))
    return moved.some((folder, at) => folder !== folders[at]) ? [...new Set(moved)] : folders
  })
}

function changePins(change: (folders: readonly Path[]) => readonly Path[]): void {
  const { key, folders } = pinned.get()
  const changed = change(folders)
  if (changed === folders) return
  pinned.set({ key, folders: changed })
  storeList(key, changed)
}

/**
 * Returns the saved folders. Values that are not paths are dropped, because other programs can write to the storage.
 */
const savedFolders = (key: string): readonly Path[] =>
  storedList(key)
    .filter((value) => typeof value === 'string')
    .map(pathOf)
    .filter((path) => path !== null)
