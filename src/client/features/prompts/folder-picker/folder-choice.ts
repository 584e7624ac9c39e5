import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import type { NameCheck } from './new-folder-field.tsx'

/**
 * The state of the folder picker: `at` is the listed folder, and `chosen` is the name of the chosen folder in it. When
 * `chosen` is null, the listed folder itself is chosen.
 */
export type FolderChoice = {
  readonly at: Path
  readonly chosen: string | null
  /**
   * The name of the folder that gets the focus: typed letters or its creation have chosen it, or the user has left it
   * for its parent folder.
   */
  readonly focused?: string
}

export type FolderPickerProps = {
  readonly label: string
  readonly choice: FolderChoice
  readonly onChoose: (choice: FolderChoice) => void
  /** Returns true for folders that cannot be the destination because they are among the entries to transfer. */
  readonly isExcluded: (folder: Path) => boolean
  /** Checks the name of a new folder. Null for users who may not create folders. */
  readonly checkNewName: NameCheck | null
  /** True for users whose single click opens a folder (specification 2, preferences). */
  readonly opensOnSingleClick: boolean
}

/** Returns the choice after the user has left a folder for its parent folder. The left folder gets the focus. */
export const choiceAbove = (at: Path): FolderChoice => ({
  at: parentOf(at),
  chosen: null,
  focused: nameOf(at),
})
