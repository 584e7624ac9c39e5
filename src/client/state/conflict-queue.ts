import type { Path } from '../../shared/domain/path.ts'
import type { ComparedEntry } from './listed-entry.ts'
import type { Prompt } from './prompt.ts'
import type { Store } from './store.ts'
import type { ConflictChoice } from './upload-job.ts'

/** An entry that is sent to a folder in which its name already exists. */
export type NameConflict = {
  readonly verb: 'upload' | 'move' | 'copy'
  readonly folder: Path
  readonly name: string
  /** The entry that is sent. */
  readonly source: ComparedEntry
  /** The file on the device that is sent, or the folder on the server that contains the entry. */
  readonly sentFrom?: Blob | Path | null
  /** The entry that has the name. Null when only the refusal of the server is known. */
  readonly existing: ComparedEntry | null
  /** The name that keeps both entries. Null when the entry that is sent cannot get another name. */
  readonly freeName: string | null
}

type PendingConflict = {
  readonly conflict: NameConflict
  readonly resolve: (choice: ConflictChoice) => void
}

export type ConflictQueue = {
  /** Asks for the user's choice for each conflict, in the given order. `of` is the total number of entries to send. */
  readonly ask: (conflicts: readonly NameConflict[], of: number) => Promise<ConflictChoice[]>
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
  let of = 0
  let shown: Prompt | null = null

  function resolveConflicts(choiceOf: (conflict: NameConflict) => ConflictChoice): void {
    const onScreen = new Set(conflictsOnScreen(waiting))
    waiting = waiting.filter((pending) => !onScreen.has(pending))
    of = waiting.length
    for (const { conflict, resolve } of onScreen) resolve(choiceOf(conflict))
    show()
  }

  function show(): void {
    if (waiting.length > 0) {
      shown = {
        kind: 'replace',
        conflicts: conflictsOnScreen(waiting).map(({ conflict }) => conflict),
        of: Math.max(of, waiting.length),
        resolve: resolveConflicts,
      }
      prompt.set(shown)
    } else if (shown !== null) {
      shown = null
      of = 0
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
    ask: (conflicts, total) => {
      of += total
      const choices = conflicts.map(
        (conflict) => new Promise<ConflictChoice>((resolve) => waiting.push({ conflict, resolve })),
      )
      if (waiting.length > 0 && (shown !== null || prompt.get().kind === 'none')) show()
      return Promise.all(choices)
    },
    cancelAll: () => {
      const cancelled = waiting
      waiting = []
      of = 0
      for (const { resolve } of cancelled) resolve('cancel')
      show()
    },
  }
}

/** Returns the conflicts that the dialog shows: those of the verb that waits longest, which the dialog names. */
const conflictsOnScreen = (waiting: readonly PendingConflict[]): readonly PendingConflict[] =>
  waiting.filter(({ conflict }) => conflict.verb === waiting[0]?.conflict.verb)
