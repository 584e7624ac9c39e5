import { randomBytes } from 'node:crypto'
import { createLossCollector } from '../../../shared/domain/losses.ts'
import { serve, threadData, type MainThreadLink } from '../../workers/serve.ts'
import type { FileSystemCalls } from './calls/file-system-calls.ts'
import { nodeCalls } from './calls/node-calls.ts'
import { loadKernelCalls } from './calls/kernel-calls.ts'
import { asFailure } from './calls/system-failures.ts'
import { stagedNameOf } from './resolution/reserved-names.ts'
import type { TaskContext, RootContext } from './resolution/task-context.ts'
import { checksum } from './tasks/checksum.ts'
import { copyEntry } from './tasks/copy.ts'
import { helpStat } from './listing/shared-stat.ts'
import { searchNames } from './trees/search-names.ts'
import { listFolder } from './tasks/list.ts'
import {
  localFolder,
  openFileForReading,
  openRoot,
  realPath,
  statEntry,
  diskUsage,
} from './tasks/stat-and-open.ts'
import { checkMakeFolder, makeFolder } from './tasks/make-folder.ts'
import { moveEntry } from './tasks/move.ts'
import { measureTree } from './trees/measure-tree.ts'
import { readTree } from './trees/read-tree.ts'
import { createSmallFileTask } from './tasks/write-small-files.ts'
import { deleteEntry } from './tasks/remove.ts'
import { setFolderTime } from './tasks/set-folder-time.ts'
import { abandonUpload, isPlaced, stagedFileSize, resumeUpload } from './tasks/resume-upload.ts'
import { checkStage, commit, discardStaged, replacedBytes, stage } from './tasks/stage.ts'
import { sweepStaged } from './tasks/sweep-staged.ts'
import { isVolumeRootInPlace, currentRootContext } from './resolution/volume-root.ts'
import { walkTree } from './trees/walk-tree.ts'

/**
 * Data that a storage thread receives when it starts. With `auto`, the thread makes system calls directly where the
 * system supports this. With `walk`, it uses only Node's own file system functions.
 */
export type StorageThreadData = { readonly calls: 'auto' | 'walk' }

const tasks = {
  abandon: abandonUpload,
  checkMakeFolder,
  checkStage,
  checksum,
  commit,
  copy: copyEntry,
  discard: discardStaged,
  helpStat,
  find: searchNames,
  isPlaced,
  list: listFolder,
  localFolder,
  stagedFileSize,
  makeFolder,
  measure: measureTree,
  move: moveEntry,
  openFile: openFileForReading,
  openRoot,
  writeSmallFiles: createSmallFileTask(),
  readTree,
  realPath,
  remove: deleteEntry,
  replacedBytes,
  resume: resumeUpload,
  setFolderTime,
  stage,
  stat: statEntry,
  sweepStaged,
  usage: diskUsage,
  walk: walkTree,
}

type SignatureOf<Task> = Task extends (context: infer Context, input: infer Input) => infer Result
  ? {
      readonly input: Input
      readonly result: Awaited<Result>
      readonly item: Context extends TaskContext<infer Item> ? Item : never
    }
  : never

/** The tasks of a volume, as the code that starts them sees them. */
export type StorageTasks = { readonly [Name in keyof typeof tasks]: SignatureOf<(typeof tasks)[Name]> }

const calls: FileSystemCalls =
  (threadData() as StorageThreadData).calls === 'walk'
    ? nodeCalls()
    : ((await loadKernelCalls()) ?? nodeCalls())
const newStagedName = (): string => stagedNameOf(randomBytes(16).toString('hex'))

/** A task function as `confinedTask` calls it. Each task declares its own input type. */
type TaskFunction = (context: TaskContext, input: never) => unknown

/**
 * Input of a task that helps another thread. Such a task receives the root context in its input, whereas other tasks
 * use the context that the main thread sent most recently.
 */
type HelperInput = { readonly rootContext?: RootContext }

/** Wraps a task for the pool. The wrapper confines the task to its root and translates system errors. */
const confinedTask = (task: TaskFunction) => (input: HelperInput, link: MainThreadLink) => {
  const given = input.rootContext ?? (link.context as RootContext)
  const context = { calls, link, rootContext: given, newStagedName, losses: createLossCollector() }
  try {
    const done = isVolumeRootInPlace(given.volumeRoot)
      ? task(context, input as never)
      : currentRootContext(given, link).then((rootContext) =>
          task({ ...context, rootContext }, input as never),
        )
    return done instanceof Promise ? done.catch(throwFailure) : done
  } catch (error) {
    return throwFailure(error)
  }
}

function throwFailure(error: unknown): never {
  throw asFailure(error)
}

serve(
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, confinedTask(task as TaskFunction)])),
  () => calls.concurrentFlusher?.release(),
)
