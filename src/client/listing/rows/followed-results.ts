import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'

/** The folders that contain results of the search on screen, whose changes the server reports. */
export const followedResults = createPersonalStore<readonly Path[]>([])

/** The last change that others have made in one of these folders, or null. */
export const lastResultChange = createPersonalStore<{ readonly folder: Path } | null>(null)
