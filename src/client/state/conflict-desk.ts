import type { Path } from '../../shared/domain/path.ts'
import type { Prompt } from './prompt.ts'
import type { Store } from './store.ts'
import type { ConflictChoice } from './uploads.ts'

export type Conflict = {
  readonly cause: 'upload' | 'transfer'
  readonly folder: Path
  readonly name: string
}

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
    const asked = askedNow()
    const answered = new Set(isForAll || choice === 'cancel' ? asked : asked.slice(0, 1))
    waiting = waiting.filter((conflict) => !answered.has(conflict))
    of -= answered.size
    for (const { resolve } of answered) resolve(choice)
    show()
  }

  /** Uploads and transfers are asked about one after the other: they have different answers. */
  const askedNow = (): readonly Waiting[] => waiting.filter(({ cause }) => cause === waiting[0]?.cause)

  function show(): void {
    const [first] = waiting
    if (first) {
      const { cause, folder } = first
      shown = { kind: 'replace', cause, folder, names: askedNow().map(({ name }) => name), of, answer }
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
