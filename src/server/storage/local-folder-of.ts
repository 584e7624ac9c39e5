import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { OperationOptions } from './change.ts'
import type { LocalFolder } from './local-disk.ts'
import type { Storage } from './port.ts'

/**
 * Returns the location of a folder as `LocalDisk.folder` does, or null when the storage is not on a disk of this machine. Fails
 * as `stat` does for a path that is missing or denied, and with `not-a-folder` for an entry that is no folder.
 */
export async function localFolderOf(
  storage: Pick<Storage, 'localDisk' | 'stat'>,
  path: Path,
  options?: OperationOptions,
): Promise<LocalFolder | null> {
  if (storage.localDisk !== undefined) return storage.localDisk.folder(path, options)
  if (!isFolder(await storage.stat(path, options))) throw new AppError('not-a-folder')
  return null
}
