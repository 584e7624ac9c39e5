import type { Permission } from '../../shared/domain/access.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { IconName } from '../ui/icon-names.ts'

/** What a verb may look at when it runs: the open folder, what is selected there, what the user may do. */
export type Scene = {
  readonly folder: Path
  readonly selected: readonly ListedEntry[]
  readonly may: (permission: Permission) => boolean
  readonly isMultiple: boolean
}

/** How many selected entries a verb wants. `any` also runs without a selection, on the folder. */
export type Takes = 'nothing' | 'one' | 'some' | 'any'

/** A verb on screen. Header, mobile bar, keyboard and help all render the same list of these. */
export type Action = {
  /** Also the id of its label in the catalogues: `action.<id>`. */
  readonly id: string
  readonly icon: IconName
  readonly needs?: Permission
  readonly takes: Takes
  /** What it asks of the selection beyond its size. */
  readonly suits?: (scene: Scene) => boolean
  /** As `ctrl+a`, `Delete`, `F2`; `ctrl` is ⌘ on macOS. No two actions share one; a test says so. */
  readonly keys: readonly string[]
  /** In the header only, in the sidebar only, or on neither (keyboard). */
  readonly places: readonly ('header' | 'selection-bar' | 'sidebar')[]
  readonly run: (scene: Scene) => void | Promise<void>
}

export function isAvailable(action: Action, scene: Scene): boolean {
  if (action.needs !== undefined && !scene.may(action.needs)) return false
  if (action.suits?.(scene) === false) return false
  if (action.takes === 'one') return scene.selected.length === 1
  return action.takes !== 'some' || scene.selected.length > 0
}
