import type { Path } from '../../../../shared/domain/path.ts'
import type { FileSystemCalls } from '../calls/file-system-calls.ts'
import type { MainThreadLink } from '../../../workers/serve.ts'
import type { ReservedFiles } from './reserved-names.ts'
import type { OpenedRoot, VolumeRoot } from './volume-root.ts'

/** The root to which a request is confined, as it is sent to a thread. */
export type RootContext = {
  readonly descriptor: number
  readonly volumeRoot: VolumeRoot
  /** Names that are denied directly below the root: the server's own, when the root is the top of the volume. */
  readonly reservedNames: readonly string[]
  readonly followsExternal: boolean
  /** True when rules exist. Rules live in the main thread and can only be evaluated there. */
  readonly hasRules: boolean
  readonly own: ReservedFiles
}

/** The context with which every task runs in a thread. */
export type TaskContext = {
  readonly calls: FileSystemCalls
  readonly link: MainThreadLink
  readonly rootContext: RootContext
  /** Returns a new random name for a staged file. */
  readonly newStagedName: () => string
}

/**
 * A message from a task to the main thread. `paths` and `children` ask which paths the rules allow; the answer has one
 * byte for each path. `staged` reports a staged file, and `volume-root` reports that another folder now stands at the
 * path of the volume's root.
 */
export type MainThreadRequest =
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly by: 'all' | 'permits' }
  | { readonly kind: 'children'; readonly folder: Path; readonly names: Uint8Array }
  | { readonly kind: 'staged'; readonly path: string }
  | { readonly kind: 'volume-root'; readonly opened: OpenedRoot }
