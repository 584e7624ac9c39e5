import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { unescapeOctal } from '../../shared/domain/octal-escapes.ts'

/** A mount: the folder or file `root` of a device appears at the path `point`. `type` is that of the file system. */
export type Mount = {
  readonly device: string
  readonly root: string
  readonly point: string
  readonly type: string
}

/** Returns the mounts of this system, oldest first. Empty on systems without `/proc`. */
export function readMounts(): readonly Mount[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountOf)
  } catch {
    return []
  }
}

function mountOf(row: string): Mount[] {
  const fields = row.split(' ').map(unescapeOctal)
  const [, , device, root, point] = fields
  if (device === undefined || root === undefined || point === undefined) return []
  // The type follows a hyphen, which the optional fields of a mount precede (proc_pid_mountinfo(5)).
  return [{ device, root, point, type: fields[fields.indexOf('-', 6) + 1] ?? '' }]
}

/** Returns the mount through which a path is reached. */
export const mountHolding = (path: string, mounts: readonly Mount[]): Mount | null =>
  mounts
    .filter(({ point }) => isWithinFolder(path, point))
    // When two mounts have the same mount point, the later mount hides the earlier mount.
    .reduce<Mount | null>(
      (best, mount) => (best !== null && mount.point.length < best.point.length ? best : mount),
      null,
    )

/** Returns the path of a file on its device. Null when no mount is known. */
export function pathOnDevice(path: string, mounts: readonly Mount[]): string | null {
  const holder = mountHolding(path, mounts)
  return holder === null ? null : join(holder.root, relative(holder.point, path))
}

/** Returns true for a folder and for everything in it. */
export const isWithinFolder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)
