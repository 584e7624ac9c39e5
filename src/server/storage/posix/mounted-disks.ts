import type { DiskPath } from '../disk-path.ts'
import { pathOf, root, type Path } from '../../../shared/domain/path.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { LocalDisk, MountedDisks } from '../local-disk.ts'
import { mountPoints } from './calls/mounts.ts'

/**
 * Creates the calls that remember and recognise the disks of a volume. The kernel's list of mounts is read for each call, because a
 * disk may be missing since the previous one. `realPath` is the path of the volume's root without links.
 */
export function createMountedDisks(realPath: DiskPath, folderOf: LocalDisk['folder']): MountedDisks {
  const top = withSlash(realPath)
  const placeOf = (path: Path): string => withSlash(`${top.slice(0, -1)}${path}`)

  /** Returns the inode number of the topmost served folder on the disk at a mount point, or null when no folder is there. */
  async function inodeAt(mountPoint: string): Promise<string | null> {
    const folder = mountPoint.startsWith(top) ? pathOf(mountPoint.slice(top.length)) : root
    if (folder === null) return null
    try {
      const found = await folderOf(folder)
      return found === null ? null : String(found.ino)
    } catch (error) {
      if (['not-found', 'not-a-folder', 'unavailable'].includes(codeOf(error))) return null
      throw error
    }
  }

  return {
    async diskOf(path) {
      const place = placeOf(path)
      const mountPoint = mountPoints().find((point) => place.startsWith(point)) ?? '/'
      // The system's own disk is never missing.
      const inode = mountPoint === '/' ? null : await inodeAt(mountPoint)
      return inode === null ? null : { mountPoint, inode }
    },
    async isDiskMissing(path, { mountPoint, inode }) {
      const place = placeOf(path)
      const points = mountPoints()
      // A path that is no longer below the mount point belongs to a volume whose root was changed.
      if (points.length === 0 || !place.startsWith(mountPoint)) return false
      const current = points.find((point) => place.startsWith(point)) ?? '/'
      return !current.startsWith(mountPoint) && (await inodeAt(mountPoint)) !== inode
    },
  }
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)
