import type { Path } from '../../shared/domain/path.ts'
import type { Prompt } from './prompt.ts'
import type { Store } from './store.ts'
import type { ConflictChoice } from './upload-queue.ts'

export type NameConflict = {
  readonly cause: 'upload' | 'transfer'
  readonly folder: Path
  readonly name: string
}

type PendingConflict = NameConflict & { readonly resolve: (choice: ConflictChoice) => void }

export type ConflictQueue = {
  /** Asks for the user's choice for each name, in the given order. `of` is the total number of entries to send. */
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

  function resolveConflict(choice: ConflictChoice, isForAll: boolean): void {
    const onScreen = conflictsOnScreen(waiting)
    const answered = new Set(isForAll || choice === 'cancel' ? onScreen : onScreen.slice(0, 1))
    waiting = waiting.filter((conflict) => !answered.has(conflict))
    of -= answered.size
    for (const { resolve } of answered) resolve(choice)
    show()
  }

  function show(): void {
    const [first] = waiting
    if (first) {
      const { cause, folder } = first
      shown = {
        kind: 'replace',
        cause,
        folder,
        names: conflictsOnScreen(waiting).map(({ name }) => name),
        of,
        resolve: resolveConflict,
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
      resolveConflict('cancel', true)
    } else if (now.kind === 'none') show()
  })

  return {
    ask: (conflicts, total) => {
      of += total
      const choices = conflicts.map(
        (conflict) =>
          new Promise<ConflictChoice>((resolve) => {
            waiting.push({ ...conflict, resolve })
          }),
      )
      if (shown !== null || prompt.get().kind === 'none') show()
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

/**
 * Returns the conflicts that the dialog shows: either conflicts of uploads or conflicts of transfers, because the two
 * kinds have different choices.
 */
const conflictsOnScreen = (waiting: readonly PendingConflict[]): readonly PendingConflict[] =>
  waiting.filter(({ cause }) => cause === waiting[0]?.cause)
