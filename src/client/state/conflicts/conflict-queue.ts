import type { NameConflict } from './name-conflict.ts'
import type { Prompt } from '../prompt.ts'
import type { Store } from '../store.ts'
import type { ConflictChoice } from '../upload-job.ts'

type PendingConflict = {
  readonly conflict: NameConflict
  readonly resolve: (choice: ConflictChoice) => void
}

export type ConflictQueue = {
  /** Asks for the user's choice for each conflict, in the given order. `entryCount` is the number of entries to send. */
  readonly ask: (conflicts: readonly NameConflict[], entryCount: number) => Promise<ConflictChoice[]>
  /** Cancels all pending conflicts and closes their dialog. */
  readonly cancelAll: () => void
}

/**
 * Creates the queue of conflicts, which are shown in one dialog. The dialog opens after any other open dialog has
 * closed, and new conflicts are added to it while it is open. When it is closed without a choice (Escape, a change of
 * the address), all its conflicts are cancelled.
 */
export function createConflictQueue(prompt: Store<Prompt>): ConflictQueue {
  let waiting: PendingConflict[] = []
  let total = 0
  let shown: Prompt | null = null

  function resolveConflicts(choiceOf: (conflict: NameConflict) => ConflictChoice): void {
    const onScreen = new Set(conflictsOnScreen(waiting))
    waiting = waiting.filter((pending) => !onScreen.has(pending))
    total = waiting.length
    for (const { conflict, resolve } of onScreen) resolve(choiceOf(conflict))
    show()
  }

  function show(): void {
    if (waiting.length > 0) {
      shown = {
        kind: 'replace',
        conflicts: conflictsOnScreen(waiting).map(({ conflict }) => conflict),
        total: Math.max(total, waiting.length),
        resolve: resolveConflicts,
      }
      prompt.set(shown)
    } else if (shown !== null) {
      shown = null
      total = 0
      prompt.set({ kind: 'none' })
    }
  }

  prompt.subscribe(() => {
    const now = prompt.get()
    if (waiting.length === 0 || now === shown) return
    if (shown !== null) {
      shown = null
      resolveConflicts(() => 'cancel')
    } else if (now.kind === 'none') show()
  })

  return {
    ask: (conflicts, entryCount) => {
      total += entryCount
      const choices = conflicts.map(
        (conflict) => new Promise<ConflictChoice>((resolve) => waiting.push({ conflict, resolve })),
      )
      if (waiting.length > 0 && (shown !== null || prompt.get().kind === 'none')) show()
      return Promise.all(choices)
    },
    cancelAll: () => {
      const cancelled = waiting
      waiting = []
      total = 0
      for (const { resolve } of cancelled) resolve('cancel')
      show()
    },
  }
}

/** Returns the conflicts that the dialog shows: those of the verb that waits longest, which the dialog names. */
const conflictsOnScreen = (waiting: readonly PendingConflict[]): readonly PendingConflict[] =>
  waiting.filter(({ conflict }) => conflict.verb === waiting[0]?.conflict.verb)
