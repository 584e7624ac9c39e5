import type { ListedEntry } from './listed-entry.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createStore } from './store.ts'

/** The open dialog with what it needs: one at a time, by type. */
export type Prompt =
  | { readonly kind: 'none' }
  | { readonly kind: 'help' }
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
      /** Uploads can be replaced or skipped, what is moved or copied can also be given another name. */
      readonly cause: 'upload' | 'transfer'
      /** Names that already exist in the folder; how many are on their way in all. */
      readonly names: readonly string[]
      readonly of: number
      readonly folder: Path
      /** For the first name alone, or for all of them. */
      readonly answer: (choice: 'overwrite' | 'rename' | 'skip' | 'cancel', isForAll: boolean) => void
    }

export const prompt = createStore<Prompt>({ kind: 'none' })
export const closePrompt = (): void => prompt.set({ kind: 'none' })
