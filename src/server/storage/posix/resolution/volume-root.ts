import type { DiskPath } from '../../disk-path.ts'
import { closeSync, fstatSync, statSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { root } from '../../../../shared/domain/path.ts'
import type { MainThreadLink } from '../../../workers/serve.ts'
import { errnoOf, mountIdOf, openAnywhere, realPathOf } from '../calls/descriptors.ts'
import { mountOf } from '../calls/mounts.ts'
import type { MainThreadRequest, OpenedRoot, RootContext, TaskContext, VolumeRoot } from './task-context.ts'

/**
 * Returns the root context with which a task continues when the volume root is no longer at its path. A root folder
 * that was only renamed stays in use. When the root folder was removed, its disk was unmounted or another disk was
 * mounted over it, the folder that is now at the path replaces it. Throws `unavailable` when no folder is there. The
 * empty mount point of an unmounted disk does not count as a folder.
 */
export async function currentRootContext(
  rootContext: RootContext,
  link: MainThreadLink,
): Promise<RootContext> {
  const { volumeRoot } = rootContext
  if (isStillMounted(volumeRoot)) return rootContext
  if (!volumeRoot.mayRenew) throw volumeRootMissing()
  const opened = reopenVolumeRoot(volumeRoot)
  const request: MainThreadRequest = { kind: 'volume-root', opened }
  const descriptor = (await link.sendRequest(request)) as number
  return {
    ...rootContext,
    descriptor,
    volumeRoot: { ...volumeRoot, descriptor, dev: opened.dev, ino: opened.ino },
  }
}

const volumeRootMissing = (): AppError =>
  new AppError('unavailable', { reason: 'the served folder is missing' })

/** Returns true when the path of the volume root still leads to the open folder. This is the usual case. */
export function isVolumeRootInPlace({ descriptor, dev, ino, realPath }: VolumeRoot): boolean {
  if (realPathOf(descriptor) !== realPath) return false
  const found = statAt(realPath)
  return found !== null && found.dev === dev && found.ino === ino
}

/**
 * Returns true when the open folder still exists on a mounted disk, possibly under another name, and no other disk is
 * mounted over it.
 */
function isStillMounted({ descriptor, realPath, mountPoint }: VolumeRoot): boolean {
  if (fstatSync(descriptor).nlink === 0 || realPathOf(descriptor) === realPath) return false
  return mountPoint === null || mountOf(descriptor) !== null
}

function reopenVolumeRoot({ realPath, mountPoint }: VolumeRoot): OpenedRoot {
  const descriptor = openVolumeRootPath(realPath)
  try {
    const found = statAt(realPath)
    if (found === null || !isOnDisk(descriptor, mountPoint)) throw volumeRootMissing()
    const { dev, ino } = found
    return { descriptor, dev, ino, mountId: mountIdOf(descriptor), path: root, realPath }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function openVolumeRootPath(realPath: DiskPath): number {
  try {
    return openAnywhere(realPath)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw volumeRootMissing()
    throw error
  }
}

/**
 * Returns true when a reopened folder is on a disk that is mounted at the old mount point or below it. Returns false
 * when the folder is on the disk that contains the mount point, because the volume's disk is then not mounted.
 */
function isOnDisk(descriptor: number, mountPoint: string | null): boolean {
  if (mountPoint === null || mountPoint === '/') return true
  const point = mountOf(descriptor)?.point ?? ''
  return point === mountPoint || point.startsWith(`${mountPoint}/`)
}

function statAt(path: DiskPath): { readonly dev: bigint; readonly ino: bigint } | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
}

/**
 * Throws `unavailable` when the disk to which a change is written has been unmounted in the meantime. Users could not
 * see the changed file there.
 */
export function requireMounted({ calls, rootContext: { volumeRoot } }: TaskContext, folder: number): void {
  // A folder on the mount of the volume's root needs no check. That mount was checked when the task started.
  if (volumeRoot.mountPoint === null || calls.mountId(folder) === calls.mountId(volumeRoot.descriptor)) return
  if (mountOf(folder) === null) throw volumeRootMissing()
}
