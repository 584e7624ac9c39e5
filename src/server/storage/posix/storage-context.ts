import { diskPathOf, type DiskPath } from '../disk-path.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import type { KeyedLimiter } from '../../concurrency/keyed-limiter.ts'
import type { TaskNameOf } from '../../workers/task-signatures.ts'
import type { TaskRunOptions } from '../../workers/worker-thread.ts'
import type { OperationOptions } from '../change.ts'
import type { CachedFileReader, CachedReadRoot } from './content/cached-reader.ts'
import type { ResourceLease } from './content/lease.ts'
import type { DeadlineRunner } from './content/deadline-calls.ts'
import type { MountPointLookup } from './calls/mounts.ts'
import { withFailures } from './calls/system-failures.ts'
import type { StagedFileJournal } from './journal.ts'
import type { ReservedFiles } from './resolution/reserved-names.ts'
import type { MainThreadRequest, RootContext } from './resolution/task-context.ts'
import type { RootFolder, RootFolderRegistry } from './root-folders.ts'
import type { FolderFlusher } from './content/flushing.ts'
import type { StorageThreads } from './storage-threads.ts'
import type { StorageTasks } from './thread.ts'
import { hasRules, refuseDenied, evaluateRules, type StorageRules } from './rules.ts'
import type { OpenedRoot } from './resolution/task-context.ts'

/** Dependencies and state of a volume, which all storages of the volume share. */
export type VolumeContext = {
  readonly pool: StorageThreads
  readonly mountPointOf: MountPointLookup
  /** Reads cached files on the main thread. Null when the kernel must not be called directly. */
  readonly cachedReader: CachedFileReader | null
  /** Runs reads, writes and flushes of files in Node's thread pool instead of the volume's worker threads. */
  readonly calls: DeadlineRunner
  readonly roots: RootFolderRegistry
  readonly journal: StagedFileJournal
  /**
   * Serializes the changes to each file. Staged files for the same path are therefore put in place one after the other.
   */
  readonly fileLocks: KeyedLimiter
  readonly flushes: FolderFlusher
  /** The volume's root folder. The property changes when the folder's disk has been unmounted and mounted again. */
  volumeRoot: RootFolder
  /** Mount point of the volume's disk when the volume was opened. Null when the system does not report it. */
  readonly mountPoint: string | null
  readonly reservedNames: readonly string[]
  readonly followsExternal: boolean
  readonly fileMode: number
  readonly dirMode: number
  readonly reservedFiles: () => ReservedFiles
  /** Returns the current time in milliseconds for use as a modification time. No two calls return the same time. */
  readonly nextModifiedMs: () => number
}

/** The root of a narrowed storage. This root becomes unusable when the root folder of the volume is replaced. */
type NarrowedRootFolder = { readonly root: RootFolder; readonly volumeRoot: RootFolder }

/**
 * Context of one storage: its volume, its root and its rules. With a null `narrowedRoot`, the root is the current root
 * folder of the volume.
 */
export type StorageContext = {
  readonly volume: VolumeContext
  readonly narrowedRoot: NarrowedRootFolder | null
  readonly rules: StorageRules
}

type StorageTaskInput = Readonly<Record<string, unknown>> & {
  readonly path?: Path
  readonly from?: Path
  readonly to?: Path
  readonly staged?: { readonly realPath: DiskPath }
}

type StorageTaskName = TaskNameOf<StorageTasks>

/** A file-system task for a worker thread: its name, its input and how it is scheduled. */
export type StorageTask<Name extends StorageTaskName> = {
  readonly task: Name
  readonly input: StorageTasks[Name]['input']
  readonly options?: OperationOptions | undefined
  /** True for a task that needs only a few calls to the disk. */
  readonly isShort?: boolean
  /** True for a task that has no time limit. An example is a task that removes a large tree in one call. */
  readonly isUnlimited?: boolean
  /** Lease of the descriptors that the task works on. */
  readonly lease?: ResourceLease | undefined
  /**
   * Called with the result of a task that ended after its deadline or abort, so that descriptors in the result can be
   * closed.
   */
  readonly onLate?: ((value: StorageTasks[Name]['result']) => void) | undefined
}

/** Runs a task in a worker thread, confined to the root of the storage. */
export async function runTask<Name extends StorageTaskName>(
  context: StorageContext,
  { task, input, options = {}, lease, onLate, isShort, isUnlimited }: StorageTask<Name>,
): Promise<StorageTasks[Name]['result']> {
  const runOptions = runOptionsOf(context, input, options)
  let isGivenUp = false
  const endUse = lease?.use()
  const onFinished = (value: unknown): void => {
    endUse?.()
    if (isGivenUp && value !== undefined) onLate?.(value as StorageTasks[Name]['result'])
  }
  try {
    return await context.volume.pool.run(task, input, {
      ...runOptions,
      onFinished,
      isShort,
      hasNoDeadline: isUnlimited,
    })
  } catch (error) {
    isGivenUp = true
    throw error
  }
}

/**
 * Runs a task in a worker thread and yields the items that it sends. The generator's return value is the result of the
 * task.
 */
export function streamTask<Name extends StorageTaskName>(
  context: StorageContext,
  { task, input, options = {} }: Pick<StorageTask<Name>, 'task' | 'input' | 'options'>,
): AsyncGenerator<StorageTasks[Name]['item'], StorageTasks[Name]['result']> {
  return context.volume.pool.stream(task, input, runOptionsOf(context, input, options))
}

/** Returns the root for a read on the main thread. Throws `forbidden` when the rules deny the path itself. */
export function cachedReadRootOf(context: StorageContext, path: Path): CachedReadRoot {
  const rootContext = rootContextOf(context)
  refuseDeniedInput(context, { path }, rootContext)
  const { volumeRoot } = context.volume
  return { rootContext, root: context.narrowedRoot?.root ?? volumeRoot, volumeRoot }
}

/** Throws `forbidden` when the rules deny the path itself. Links in it are not resolved. */
export function refuseDeniedAt(context: StorageContext, path: Path): void {
  refuseDeniedInput(context, { path }, rootContextOf(context))
}

function refuseDeniedInput(
  { rules }: StorageContext,
  { path, from, to }: StorageTaskInput,
  { reservedNames }: RootContext,
): void {
  if (path !== undefined) refuseDenied(rules, path, reservedNames)
  if (from !== undefined) refuseDenied(rules, from, reservedNames)
  if (to !== undefined) refuseDenied(rules, to, reservedNames)
}

/**
 * The most recent context of each root. An unchanged context is returned as the same object, so that it is not sent to
 * the threads again.
 */
const lastContexts = new WeakMap<
  RootFolder,
  { readonly rootContext: RootContext; readonly volumeRoot: RootFolder }
>()

function rootContextOf(context: StorageContext): RootContext {
  const { volume, narrowedRoot, rules } = context
  const { volumeRoot } = volume
  if (narrowedRoot !== null && narrowedRoot.volumeRoot !== volumeRoot) throw new AppError('unavailable')
  const { root } = narrowedRoot ?? { root: volumeRoot }
  const last = lastContexts.get(root)
  const reservedFiles = volume.reservedFiles()
  const isUnchanged =
    last !== undefined &&
    last.volumeRoot === volumeRoot &&
    last.rootContext.reservedFiles === reservedFiles &&
    last.rootContext.hasRules === hasRules(rules) &&
    last.rootContext.volumeRoot.mayRenew === (narrowedRoot === null)
  if (last !== undefined && isUnchanged) return last.rootContext
  const rootContext = newRootContext(context, root, reservedFiles)
  lastContexts.set(root, { rootContext, volumeRoot })
  return rootContext
}

function newRootContext(
  { volume, narrowedRoot, rules }: StorageContext,
  root: RootFolder,
  reservedFiles: ReservedFiles,
): RootContext {
  const { volumeRoot } = volume
  return {
    descriptor: root.descriptor,
    volumeRoot: {
      descriptor: volumeRoot.descriptor,
      dev: volumeRoot.dev,
      ino: volumeRoot.ino,
      realPath: volumeRoot.realPath,
      mountPoint: volume.mountPoint,
      mayRenew: narrowedRoot === null,
    },
    reservedNames: root === volumeRoot ? volume.reservedNames : [],
    followsExternal: volume.followsExternal,
    hasRules: hasRules(rules),
    reservedFiles,
  }
}

/**
 * Returns the first path of a task, which determines the disk that the task uses. A staged file is on the same disk as
 * its destination.
 */
const taskPathOf = (folder: DiskPath, { path, from, staged }: StorageTaskInput): DiskPath =>
  staged?.realPath ?? diskPathOf(`${folder}${path ?? from ?? root}`)

/**
 * Returns the options that the pool needs to run a task, including the root context for the thread. Throws `forbidden`
 * when the rules deny a path of the input itself. Links in it are resolved by the task.
 */
function runOptionsOf(
  context: StorageContext,
  input: StorageTaskInput,
  { signal }: OperationOptions,
): TaskRunOptions {
  const { volume, narrowedRoot, rules } = context
  const rootContext = rootContextOf(context)
  refuseDeniedInput(context, input, rootContext)
  const onRequest = async (request: MainThreadRequest): Promise<unknown> => {
    if (request.kind === 'staged') return withFailures(async () => volume.journal.add(request.path))
    if (request.kind === 'volume-root') return renewVolumeRoot(volume, request.opened)
    return evaluateRules(rules, request)
  }
  const { realPath } = narrowedRoot?.root ?? volume.volumeRoot
  return {
    signal,
    onRequest,
    keepAlive: narrowedRoot ?? volume.volumeRoot,
    resource: volume.mountPointOf(taskPathOf(realPath, input)),
    context: rootContext,
  }
}

/**
 * Registers the folder that is now at the path of the volume's root, and returns its descriptor. When several tasks
 * find this folder at the same time, they share one root.
 */
function renewVolumeRoot(volume: VolumeContext, opened: OpenedRoot): number {
  volume.volumeRoot = volume.roots.keep(opened)
  return volume.volumeRoot.descriptor
}
