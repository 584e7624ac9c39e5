import { close } from 'node:fs'
import type { OpenedRoot } from './tasks/look.ts'

/** An open root folder. It is closed when nobody holds it any more. */
export type Root = {
  readonly descriptor: number
  readonly key: string
  readonly dev: bigint
  readonly ino: bigint
  readonly realPath: string
}

export type Roots = {
  /** One root for each folder, however many storages hold it: a second descriptor of the same folder is closed at once. */
  keep(opened: OpenedRoot): Root
  /** Closes a root whoever holds it. */
  drop(root: Root): void
}

/**
 * A storage has no end that anyone tells, so its root is closed by garbage collection; sharing roots by mount, device and inode
 * bounds their number by that of the folders in use, not of the requests.
 */
export function createRoots(): Roots {
  const open = new Map<string, WeakRef<Root>>()
  const gone = new FinalizationRegistry<{ readonly descriptor: number; readonly key: string }>(
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
      const root: Root = { descriptor, key, dev, ino, realPath }
      open.set(key, new WeakRef(root))
      gone.register(root, { descriptor, key }, root)
      return root
    },
    drop(root) {
      gone.unregister(root)
      open.delete(root.key)
      closeQuietly(root.descriptor)
    },
  }
}

const closeQuietly = (descriptor: number): void => close(descriptor, () => {})
