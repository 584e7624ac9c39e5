import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'

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

/** Returns the choice after the user has left a folder for its parent folder. The left folder gets the focus. */
export const choiceAbove = (at: Path): FolderChoice => ({
  at: parentOf(at),
  chosen: null,
  focused: nameOf(at),
})
