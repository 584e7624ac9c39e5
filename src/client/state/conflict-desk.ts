import type { Path } from '../../shared/domain/path.ts'
import type { Prompt } from './prompt.ts'
import type { Store } from './store.ts'
import type { ConflictChoice } from './uploads.ts'

export type Conflict = { readonly folder: Path; readonly name: string }

type Waiting = Conflict & { readonly resolve: (choice: ConflictChoice) => void }

export type ConflictDesk = {
  /** The person's choice for each name, in order. `of`: how many are on their way in all. */
  readonly ask: (conflicts: readonly Conflict[], of: number) => Promise<ConflictChoice[]>
}

/**
 * Asks about names that are taken, in one dialog: whoever asks while it is open joins it. It waits for another dialog to
 * close, and when it is closed without an answer (Esc, a change of route) everything that waits is cancelled.
 */
export function createConflictDesk(prompt: Store<Prompt>): ConflictDesk {
  let waiting: Waiting[] = []
  let of = 0
  let shown: Prompt | null = null

  function answer(choice: ConflictChoice, isForAll: boolean): void {
    const count = isForAll || choice === 'cancel' ? waiting.length : 1
    const answered = waiting.slice(0, count)
    waiting = waiting.slice(count)
    of -= count
    for (const { resolve } of answered) resolve(choice)
    show()
  }

  function show(): void {
    const [first] = waiting
    if (first) {
      shown = { kind: 'replace', folder: first.folder, names: waiting.map(({ name }) => name), of, answer }
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
      answer('cancel', true)
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
  }
}
