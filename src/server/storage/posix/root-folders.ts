import type { DiskPath } from '../disk-path.ts'
import { close } from 'node:fs'
import type { OpenedRoot } from './resolution/task-context.ts'

/** An open root folder. It is closed after the last reference to it has been garbage-collected. */
export type RootFolder = {
  readonly descriptor: number
  readonly key: string
  readonly dev: bigint
  readonly ino: bigint
  readonly realPath: DiskPath
}

/** Registry of the open root folders of a volume. */
export type RootFolderRegistry = {
  /**
   * Returns the registered root of a folder, which all storages of this folder share. When the folder is already
   * registered, the given descriptor is closed.
   */
  keep(opened: OpenedRoot): RootFolder
  /** Closes a root immediately, even if it is still referenced. */
  drop(root: RootFolder): void
}

/**
 * Creates the registry of open roots. Storages have no `close` function, so a root is closed when it is
 * garbage-collected. Roots are shared by mount, device and inode. This limits the number of open descriptors to the
 * number of folders in use, whereas otherwise each request would need a descriptor.
 */
export function createRootFolders(): RootFolderRegistry {
  const open = new Map<string, WeakRef<RootFolder>>()
  const collectedRoots = new FinalizationRegistry<{ readonly descriptor: number; readonly key: string }>(
    ({ descriptor, key }) => {
      if (open.get(key)?.deref() === undefined) open.delete(key)
      closeQuietly(descriptor)
    },
  )
  return {
    keep({ descriptor, dev, ino, mountId, realPath }) {
      const key = `${mountId}:${dev}:${ino}`
      const known = open.get(key)?.deref()
      if (known !== undefined) {
        closeQuietly(descriptor)
        return known
      }
      const root: RootFolder = { descriptor, key, dev, ino, realPath }
      open.set(key, new WeakRef(root))
      collectedRoots.register(root, { descriptor, key }, root)
      return root
    },
    drop(root) {
      collectedRoots.unregister(root)
      open.delete(root.key)
      closeQuietly(root.descriptor)
    },
  }
}

const closeQuietly = (descriptor: number): void => close(descriptor, () => {})
