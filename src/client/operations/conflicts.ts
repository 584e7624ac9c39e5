import { createConflictDesk } from '../state/conflict-desk.ts'
import { prompt } from '../state/prompt.ts'

/** Where every operation of this page asks about names that are taken. */
export const conflicts = createConflictDesk(prompt)
