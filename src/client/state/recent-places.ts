import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'

export type RecentPlace = { readonly path: Path; readonly isFolder: boolean }

/** The folders and files that the user opened most recently in this tab, the latest first. */
export const recentPlaces = createPersonalStore<readonly RecentPlace[]>([])

export const addRecentPlace = (place: RecentPlace): void =>
  recentPlaces.set((now) => [place, ...now.filter(({ path }) => path !== place.path)].slice(0, 99))
