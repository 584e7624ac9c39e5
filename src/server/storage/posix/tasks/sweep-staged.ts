import { diskNameOf, diskParentOf, type DiskPath } from '../../disk-path.ts'
import { lstatSync } from 'node:fs'
import { bytesOf, errnoOf, disposable, openAnywhere, unlinkAt } from '../calls/descriptors.ts'
import { isStagedName } from '../resolution/reserved-names.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { removeTree } from '../trees/tree.ts'

/** Result of a sweep: the number of removed staged files, and the paths that could not be removed. */
export type SweepResult = { readonly removed: number; readonly left: readonly DiskPath[] }

/**
 * Removes staged files that a stopped server left behind. Ignores paths that are not staged files, and continues after
 * an error.
 */
export function sweepStaged(
  context: TaskContext,
  { paths }: { readonly paths: readonly DiskPath[] },
): SweepResult {
  let removed = 0
  const left: DiskPath[] = []
  for (const path of paths.filter((one) => isStagedName(diskNameOf(one)))) {
    try {
      removed += Number(removeStaged(context, path))
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') left.push(path)
    }
  }
  return { removed, left }
}

/** Removes a staged file or folder. Returns false when it does not exist. */
function removeStaged(context: TaskContext, path: DiskPath): boolean {
  const stat = lstatSync(bytesOf(path), { throwIfNoEntry: false })
  if (stat === undefined) return false
  using folder = disposable(openAnywhere(diskParentOf(path)))
  const location = { folder: folder.descriptor, name: diskNameOf(path) }
  if (stat.isDirectory()) removeTree(context, location, { isOurs: true })
  else unlinkAt(location)
  return true
}
