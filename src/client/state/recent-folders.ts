import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'

const maxRecentFolders = 8

/** The folders that the user opened most recently in this tab, the latest first. */
export const recentFolders = createPersonalStore<readonly Path[]>([])

export const addRecentFolder = (folder: Path): void =>
  recentFolders.set((now) => [folder, ...now.filter((path) => path !== folder)].slice(0, maxRecentFolders))
