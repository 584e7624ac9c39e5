import type { DiskPath } from '../../disk-path.ts'
import type { LossCollector } from '../../../../shared/domain/losses.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { FileSystemCalls } from '../calls/file-system-calls.ts'
import type { MainThreadLink } from '../../../workers/serve.ts'
import type { ReservedFiles } from './reserved-names.ts'

/** The root folder of a volume, in the form that is sent to a worker thread. */
export type VolumeRoot = {
  readonly descriptor: number
  readonly dev: bigint
  readonly ino: bigint
  /** Absolute path that the folder had when the volume was opened. */
  readonly realPath: DiskPath
  /** Mount point of the folder's disk when the volume was opened. Null when the system does not report it. */
  readonly mountPoint: string | null
  /**
   * True when the task may continue with another folder at the same path, because the task has no descriptors of the
   * old folder.
   */
  readonly mayRenew: boolean
}

/** The root to which a request is confined, in the form that is sent to a worker thread. */
export type RootContext = {
  readonly descriptor: number
  readonly volumeRoot: VolumeRoot
  /** Names that are denied directly below the root. The list is empty unless the root is the top of the volume. */
  readonly reservedNames: readonly string[]
  readonly followsExternal: boolean
  /** True when access rules apply to the request. Rules can only be evaluated on the main thread. */
  readonly hasRules: boolean
  readonly reservedFiles: ReservedFiles
}

/** The context that every task in a worker thread receives. The task sends items of the type `Item`. */
export type TaskContext<Item = never> = {
  readonly calls: FileSystemCalls
  readonly link: MainThreadLink<Item>
  readonly rootContext: RootContext
  /** Returns a new random name for a staged file. */
  readonly newStagedName: () => string
  /** Collects what the task leaves out or cannot keep. */
  readonly losses: LossCollector
}

/** A folder that was opened to become the root of a storage. */
export type OpenedRoot = {
  readonly descriptor: number
  readonly dev: bigint
  readonly ino: bigint
  readonly mountId: string
  /** Path of the folder inside the root in which it was opened. */
  readonly path: Path
  readonly realPath: DiskPath
}

/**
 * A request from a task to the main thread. `paths`, `children` and `found` request a check of paths against the rules; the
 * response contains one byte for each path. The paths of `found` are relative to the start folder of a search. `staged` records a staged file in the journal. `volume-root` reports that
 * another folder is now at the path of the volume's root; the response is the descriptor that the task must use.
 */
export type MainThreadRequest =
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly by: 'all' | 'permits' }
  | { readonly kind: 'children'; readonly folder: Path; readonly names: Uint8Array }
  | { readonly kind: 'found'; readonly start: Path; readonly paths: readonly string[] }
  | { readonly kind: 'staged'; readonly path: DiskPath }
  | { readonly kind: 'volume-root'; readonly opened: OpenedRoot }
