import type { ShareResource } from '../../shared/contract/shares.ts'
import type { NameConflict } from './conflicts/name-conflict.ts'
import type { ListedEntry } from './listed-entry.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'
import type { ConflictChoice } from './upload-job.ts'

/** A name that the user has typed and the server has refused, with the reason as a message for the user. */
export type RefusedName = { readonly typed: string; readonly reason: string }

/** The open prompt with the data that it shows. At most one prompt is open at a time. */
export type Prompt =
  | { readonly kind: 'none' }
  | { readonly kind: 'help' }
  /** The field that finds files in all folders, and after `>` actions and folders to go to. `text` is its text at first. */
  | { readonly kind: 'palette'; readonly text: '' | '>' }
  /** The question before a logout that would cancel uploads. */
  | { readonly kind: 'logout' }
  /** The question before all unfinished uploads are cancelled. */
  | { readonly kind: 'cancel-uploads' }
  | { readonly kind: 'new-folder' | 'new-file'; readonly folder: Path; readonly refused?: RefusedName }
  | {
      readonly kind: 'rename'
      readonly folder: Path
      readonly entry: ListedEntry
      /** True when the name is edited in its row, if there is room for it. */
      readonly isInline: boolean
      /** The name that the server has refused before, and the reason. */
      readonly refused?: RefusedName
    }
  | { readonly kind: 'rename-several'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  | { readonly kind: 'delete'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  | { readonly kind: 'info'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  /** The choice of an archive format. Without entries, the open folder itself is downloaded. */
  | { readonly kind: 'download'; readonly folder: Path; readonly entries: readonly ListedEntry[] }
  | {
      readonly kind: 'compress'
      readonly folder: Path
      readonly entries: readonly ListedEntry[]
      /** The name of the archive that the server has refused before, and the reason. */
      readonly refused?: RefusedName
    }
  | { readonly kind: 'upload'; readonly folder: Path }
  /** The choice of a folder for files that another app of the device has offered. */
  | { readonly kind: 'offer'; readonly files: readonly File[] }
  /** The links of one entry, and the form for a new one. */
  | { readonly kind: 'share'; readonly path: Path; readonly isFolder: boolean }
  /** The form for an existing link. */
  | { readonly kind: 'edit-share'; readonly link: ShareResource }
  /** The question before a link is deleted. */
  | { readonly kind: 'delete-share'; readonly hash: string; readonly path: string }
  | {
      readonly kind: 'transfer'
      readonly verb: 'move' | 'copy' | 'extract'
      readonly folder: Path
      readonly entries: readonly ListedEntry[]
    }
  | {
      readonly kind: 'replace'
      /** The conflicts of one verb. `total` is the number of entries to send. */
      readonly conflicts: readonly NameConflict[]
      readonly total: number
      /** Called once with the user's choices for all conflicts that are shown. */
      readonly resolve: (choiceOf: (conflict: NameConflict) => ConflictChoice) => void
    }

export const prompt = createPersonalStore<Prompt>({ kind: 'none' })
export const closePrompt = (): void => prompt.set({ kind: 'none' })

/** Returns the reason why the server has refused the typed name, as long as the user has not changed the name. */
export const reasonFor = (typed: string, refused: RefusedName | undefined): string | null =>
  refused?.typed === typed ? refused.reason : null
