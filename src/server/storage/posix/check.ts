import type { IntendedChange } from '../change.ts'
import { runTask, type StorageContext, type StorageTask } from './storage-context.ts'
import { refuseReading, refuseWriting } from './rules.ts'

/** Runs the task of an intended change as a dry run, which makes all checks of the change without changing anything. */
export async function check(context: StorageContext, change: IntendedChange): Promise<void> {
  refuseWriting(context.rules)
  if (change.kind === 'copy') refuseReading(context.rules)
  await runTask(context, {
    ...dryRunTaskOf(change, context.volume.dirMode),
    options: { signal: change.signal },
  })
}

/** A task that can be run as a dry run. */
type DryRunName = 'checkStage' | 'checkMakeFolder' | 'remove' | 'move' | 'copy'
type DryRunTask = { readonly [Name in DryRunName]: Pick<StorageTask<Name>, 'task' | 'input'> }[DryRunName]

function dryRunTaskOf(change: IntendedChange, dirMode: number): DryRunTask {
  const { path } = change
  const isDryRun = true
  if (change.kind === 'write') {
    const { overwrite, sizeBytes, ifMatch, parents } = change
    const input = { path, overwrite, sizeBytes, ifMatch, dirMode: parents === true ? dirMode : null }
    return { task: 'checkStage', input }
  }
  if (change.kind === 'makeFolder') {
    const [hasParents, mayExist] = [change.parents === true, change.mayExist === true]
    return { task: 'checkMakeFolder', input: { path, hasParents, mayExist, dirMode } }
  }
  if (change.kind === 'remove') {
    const { recursive, ifMatch } = change
    return { task: 'remove', input: { path, recursive, ifMatch, isDryRun } }
  }
  const { kind, to, overwrite } = change
  return { task: kind, input: { from: path, to, overwrite, dirMode, isDryRun } }
}
