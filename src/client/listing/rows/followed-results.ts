import type { Path } from '../../../shared/domain/path.ts'
import { createEvent } from '../../state/event.ts'
import { createPersonalStore } from '../../state/personal.ts'

/** The folders that contain results of the search on screen, whose changes the server reports. */
export const followedResults = createPersonalStore<readonly Path[]>([])

/** Happens after others have changed one of these folders. */
export const resultsChanged = createEvent<{ readonly folder: Path }>()
