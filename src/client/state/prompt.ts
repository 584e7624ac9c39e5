import type { ListedEntry } from './listed-entry.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'

/** The open prompt with everything that it shows. The type allows one prompt at a time. */
export type Prompt =
  | { readonly kind: 'none' }
  | { readonly kind: 'help' }
  /** The question before a logout that would lose uploads. */
  | { readonly kind: 'logout' }
  | { readonly kind: 'new-folder'; readonly folder: Path }
  | { readonly kind: 'new-file'; readonly folder: Path }
  | { readonly kind: 'rename'; readonly folder: Path; readonly entry: ListedEntry }
  | { readonly kind: 'delete'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  | { readonly kind: 'info'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  | { readonly kind: 'upload'; readonly folder: Path }
  | {
      readonly kind: 'transfer'
      readonly verb: 'move' | 'copy'
      readonly folder: Path
      readonly entries: readonly ListedEntry[]
    }
  | {
      readonly kind: 'replace'
      /** Uploads can replace or be skipped; entries that are moved or copied can also be given another name. */
      readonly cause: 'upload' | 'transfer'
      /** The names that exist already in the folder. `of` is the number of entries that are sent in all. */
      readonly names: readonly string[]
      readonly of: number
      readonly folder: Path
      /** Answers for the first name alone, or for all names. */
      readonly answer: (choice: 'overwrite' | 'rename' | 'skip' | 'cancel', isForAll: boolean) => void
    }

export const prompt = createPersonalStore<Prompt>({ kind: 'none' })
export const closePrompt = (): void => prompt.set({ kind: 'none' })
