import { createConflictQueue } from '../state/conflict-queue.ts'
import { registerPersonal } from '../state/personal.ts'
import { prompt } from '../state/prompt.ts'

/** Asks the user about names that exist already, for all operations of this page. */
export const conflicts = createConflictQueue(prompt)

registerPersonal({ drop: conflicts.cancelAll })
