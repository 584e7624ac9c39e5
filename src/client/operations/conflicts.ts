import { createConflictQueue } from '../state/conflicts/conflict-queue.ts'
import { registerPersonal } from '../state/personal.ts'
import { prompt } from '../state/prompt.ts'

/** The queue of conflicts with existing names. All operations of this page share it. */
export const conflicts = createConflictQueue(prompt)

registerPersonal({ drop: conflicts.cancelAll })
